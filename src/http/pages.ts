/** The common parts of the plain pages for people without an account. Each page has its own text. */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Markup that is not escaped again. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Markup from a template. Values are escaped, unless they are markup. */
export function html(
  parts: TemplateStringsArray,
  ...values: (string | number | Markup | Markup[])[]
): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(toText)))
}

function toText(value: string | number | Markup | Markup[]): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
a { color: inherit }
form { display: inline }
button, a.button { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0 }
a.button { display: inline-block; border: 1px solid; border-radius: .3rem; text-decoration: none }
form.fields { display: block; margin-bottom: 1rem }
.field label, .choice { display: block }
.field, .question { margin: 0 0 1rem }
.field input, .field select, .field textarea { font: inherit; box-sizing: border-box; width: 100%; padding: .4rem }
.question { border: 1px solid; border-radius: .3rem; padding: .5rem 1rem }
.hint { opacity: .8 }
.fault { color: #b00020; color: light-dark(#b00020, #ff9a9a); display: block }
div.fault { border: 1px solid; border-radius: .3rem; padding: 0 1rem; margin-bottom: 1rem }
footer { border-top: 1px solid; margin-top: 2rem; overflow-wrap: anywhere }
`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/**
 * Sends a page. Only its reader may store it, no other page may frame it, and its links do not send its
 * address.
 */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Markup): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page.text)
}
