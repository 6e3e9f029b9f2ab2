/** Markup that escapes values, and the frame and styles of the plain pages for people without an account. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
  // A page calls this for each of its elements: String.raw() takes three times as long.
  let text = parts[0]!
  for (let index = 0; index < values.length; index++) text += toText(values[index]!) + parts[index + 1]!
  return new Markup(text)
}

const special = /[&<>"']/
const everySpecial = /[&<>"']/g

function toText(value: string | number | Markup | Markup[]): string {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  const text = String(value)
  return special.test(text)
    ? text.replace(everySpecial, (character) => `&#${character.charCodeAt(0)};`)
    : text
}

/** The text that was escaped in markup. */
export function textOf(escaped: string): string {
  return escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink);
  --page: light-dark(#f5f7fa, #131b26); --card: light-dark(#fff, #1a2534); --line: light-dark(#d5dbe1, #33425a);
  --ink: light-dark(#1c2733, #e6ebf1); --accent: light-dark(#0a5bb0, #7cbcf5);
  --button: var(--accent); --on-button: light-dark(#fff, #0c1a24) }
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
main { padding: 1rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
h2 { font-size: 1.15rem; line-height: 1.3 }
a { color: var(--accent) }
form { display: inline }
button, a.button { display: inline-block; box-sizing: border-box; min-height: 2.75rem; font: inherit; font-weight: 500;
  padding: .55rem 1rem; margin: 0 .5rem .5rem 0; border: 1px solid var(--accent); border-radius: .375rem;
  background: var(--button); color: var(--on-button); text-decoration: none; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
button.quiet, a.quiet { background: transparent; color: var(--accent) }
.number { white-space: nowrap }
.banner { padding: .75rem 1rem; border-inline-start: .375rem solid var(--accent); background: var(--page) }
.codes section { break-inside: avoid }
.used { color: light-dark(#55616d, #a9b6c5) }
.used .qr { width: 5rem; height: 5rem; opacity: .4 }
@media (min-width: 48rem) {
  .sheet { display: grid; grid-template: "facts codes" auto "more codes" 1fr / 1fr 14rem; column-gap: 2rem }
  .facts { grid-area: facts }
  .codes { grid-area: codes }
  .more { grid-area: more }
}
form.fields { display: block; margin-bottom: 1rem }
.field label, .choice { display: block }
.field, .question { margin: 0 0 1rem }
.field input, .field select, .field textarea { font: inherit; box-sizing: border-box; width: 100%; min-height: 2.75rem;
  padding: .5rem .75rem; border: 1px solid light-dark(#8b95a1, #6b7a8d); border-radius: .375rem; background: var(--card); color: inherit }
.choice { padding: .375rem 0 }
.choice input { width: 1.25rem; height: 1.25rem; margin: 0 .5rem 0 0; vertical-align: middle }
.question { min-width: 0; border: 0; border-top: 1px solid var(--line); padding: .75rem 0 0 }
.question > legend { float: left; width: 100%; padding: 0; margin-bottom: .5rem; font-weight: 600 }
.question > legend + * { clear: both }
.asked-of { min-width: 0; border: 1px solid var(--line); border-radius: .5rem; padding: 0 1rem; margin: 0 0 1rem }
.asked-of > legend { padding: 0 .25rem; font-weight: 600 }
.asked-of > .question { border: 0; padding: 0 }
.receipt { width: 100%; border-collapse: collapse }
.receipt th, .receipt td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400 }
.receipt td { padding-inline-start: 1rem; text-align: end; font-variant-numeric: tabular-nums }
.receipt .due > * { font-weight: 700 }
.hint { color: light-dark(#55616d, #a9b6c5) }
.fault { color: light-dark(#a3201d, #ff9a94); display: block }
div.fault { border: 1px solid; border-radius: .375rem; padding: 0 1rem; margin-bottom: 1rem }
.house { font-weight: 600; margin: 0 0 1rem }
.house img { display: block; max-width: 16rem; max-height: 5rem; padding: .25rem; background: #fff; border-radius: .375rem }
.languages a { margin-right: 1rem }
footer { border-top: 1px solid var(--line); margin-top: 2rem; overflow-wrap: anywhere }
@media print { :root { color-scheme: light } body { margin: 0 } main { border: 0; padding: 0 } .languages { display: none } }
`

/** The parts of a page around its content, besides the title. */
export type PageFrame = {
  /** The language of the content, as a BCP 47 tag. */
  language: string
  /** Markup above the title. */
  head: Markup
  /** Additional CSS, written by the service and not by users. */
  style: string
}
const plainFrame: PageFrame = { language: 'en', head: html``, style: '' }

/**
 * The content security policy: allows these styles by their hashes, images of the service and in `data:`
 * URLs, and forms that are sent to the service.
 */
function policyOf(styles: readonly string[]): string {
  const hashes = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return `default-src 'none'; style-src ${hashes.join(' ')}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

/**
 * The browser may store the page of a refused form. Otherwise it would ask the user to send the form again
 * when the user goes back to this page, and these pages have no script to prevent that. No other page is
 * stored. A 429 response is not stored either, because its reload is meant to send the form again.
 */
function cachingOf({ method }: FastifyRequest, status: number): string {
  const isRefused = method === 'POST' && status >= 400 && status < 500 && status !== 429
  return isRefused ? 'private, no-cache' : 'no-store'
}

/**
 * Sends a page. No cache may store it, except that the browser may store the page of a refused form. No page
 * may frame it, and its links do not send its address as the referrer.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  title: string,
  body: Markup,
  { language, head, style: own }: PageFrame = plainFrame,
): FastifyReply {
  const styles = own ? [style, own] : [style]
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
${styles.map((text) => html`<style>${new Markup(text)}</style>\n`)}</head>
<body>
<main>
${head}<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return reply
    .code(status)
    .headers({
      'content-security-policy': policyOf(styles),
      'referrer-policy': 'no-referrer',
      'cache-control': cachingOf(reply.request, status),
    })
    .type('text/html; charset=utf-8')
    .send(page.text)
}
