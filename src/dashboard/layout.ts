/** What every page of the dashboard has around its own content, and the small parts that pages share. */
import type { FastifyReply } from 'fastify'
import { html, Markup } from '../pages.ts'
import type { Session } from './session.ts'

/** The sections, in the order of the navigation; those with a role are for users who have it. */
const sections = [{ path: '/dashboard/account', label: 'Your sign-in' }] as const satisfies readonly {
  path: string
  label: string
  role?: 'owner'
}[]

export type Page = { title: string; body: Markup; status?: number }

/** Answers a page of the dashboard, with the navigation when somebody is signed in. */
export function sendDashboard(reply: FastifyReply, session: Session | null, page: Page): FastifyReply {
  const { title, body, status = 200 } = page
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${session ? html` · ${session.user.accountName}` : ''}</title>
<link rel="stylesheet" href="/dashboard/assets/dashboard.css">
<script type="module" src="/dashboard/assets/dashboard.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${session ? banner(session, reply.request.url) : ''}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.text)
}

function banner(session: Session, url: string): Markup {
  const { accountName, email } = session.user
  return html`<header class="banner">
<p class="account">${accountName}</p>
<nav aria-label="Sections"><ul>${sections.map((section) => navigationItem(section, url))}</ul></nav>
<details class="user"><summary>${email}</summary>
${postForm(session, '/dashboard/sign-out', html`<button>Sign out</button>`)}
</details>
</header>`
}

function navigationItem({ path, label }: { path: string; label: string }, url: string): Markup {
  const current = url.startsWith(path) ? new Markup(' aria-current="page"') : ''
  return html`<li><a href="${path}"${current}>${label}</a></li>`
}

/** A form that changes something, with the token that shows that it is ours. */
export function postForm(session: Session, action: string, fields: Markup): Markup {
  return html`<form method="post" action="${action}" class="stacked">
<input type="hidden" name="_csrf" value="${session.csrf}">
${fields}
</form>`
}
