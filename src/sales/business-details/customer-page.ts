/** Sends pages for customers, in the language of the reader and with the operator's logo and colour. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup, type PageFrame, sendPage } from '../../http/pages.ts'
import {
  defaultLocale,
  type Locale,
  languageNames,
  languages,
  localeFor,
  readLanguage,
} from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import { readableOn, textOn } from '../../platform/text/colour.ts'
import type { Seller } from './queries.ts'

/** The language of a page's reader. */
export type Reader = {
  t: Texts
  /**
   * Appended to the addresses of linked pages: `?lang=` with the language that the reader chose, or an empty string.
   */
  query: string
}

/**
 * Finds the language of a reader: the choice in the address, else the browser's header, else the account's locale.
 * @param own the account's locale; null for the default locale or an unknown account.
 */
export function readerOf({ query, headers }: FastifyRequest, own: Locale | null): Reader {
  const { lang } = query as { lang?: unknown }
  const chosen = readLanguage(lang)
  const asked = { lang, accept: headers['accept-language'] }
  return {
    t: textsIn(localeFor(own ?? defaultLocale, asked)),
    query: chosen ? `?lang=${chosen}` : '',
  }
}

type CustomerPage = {
  status?: number
  title: string
  body: Markup
  reader: Reader
  seller: Seller
  /** The path of the page, without a query. */
  path: string
}

export function sendCustomerPage(reply: FastifyReply, page: CustomerPage): FastifyReply {
  const { status = 200, title, body, reader, seller, path } = page
  const frame: PageFrame = {
    language: reader.t.locale,
    head: sellerLogo(seller),
    style: seller.colour ? colourStyle(seller.colour) : '',
  }
  return sendPage(reply, status, title, html`${body}\n${languageLinks(reader, path)}`, frame)
}

/**
 * Answers 404 to a link that opens nothing, for example because it was cut off or its booking is deleted. The
 * page has no language links, because they would repeat a token from the address that may not be genuine.
 */
export function sendInvalidLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { t } = readerOf(request, null)
  const body = html`<p>${t.say('link.invalid')}</p>`
  const frame = { language: t.locale, head: html``, style: '' }
  return sendPage(reply, 404, t.say('link.invalid.title'), body, frame)
}

/** Answers 503 while this process cannot check links. @param seconds the value of `Retry-After`. */
export function sendUnavailablePage(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
): FastifyReply {
  const { t } = readerOf(request, null)
  const frame = { language: t.locale, head: html``, style: '' }
  const body = html`<p>${t.say('page.unavailable')}</p>`
  return sendPage(reply.header('retry-after', seconds), 503, t.say('page.unavailable.title'), body, frame)
}

/** The logo, or the name of an account without one. */
export function sellerLogo({ name, logoPath }: Seller): Markup {
  if (!logoPath) return html`<p class="house">${name}</p>\n`
  return html`<p class="house"><img src="${logoPath}" alt="${name}"></p>\n`
}

/** Links get a shade of the colour that is readable on the page; buttons get the colour itself. */
function colourStyle(colour: string): string {
  const [light, dark] = [readableOn(colour, '#ffffff'), readableOn(colour, '#1a2534')]
  return `:root { --accent: light-dark(${light}, ${dark}); --button: ${colour}; --on-button: ${textOn(colour)} }`
}

function languageLinks({ t }: Reader, path: string): Markup {
  const others = languageNames.filter((name) => name !== t.language)
  const links = others.map(
    (name) =>
      html`<a href="${path}?lang=${name}" hreflang="${name}" lang="${name}">${languages[name].name}</a>`,
  )
  return html`<nav class="languages" aria-label="${t.say('page.languages')}">${links}</nav>`
}
