/**
 * Addresses to which a form is sent, and at which nothing stands to be read. Yet they are read, when a form was
 * refused there and its page is asked for once more: then they lead back to the page that the form stands on.
 */
import type { FastifyInstance } from 'fastify'

/** Call before the routes of a scope are registered, and what it gives after all of them are loaded. */
export function watchForms(app: FastifyInstance): () => void {
  const pages = new Set<string>()
  const forms = new Set<string>()
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'GET') pages.add(url)
    if (method === 'POST') forms.add(url)
  })
  return () => {
    for (const form of [...forms].filter((url) => !pages.has(url))) {
      const page = pageOf(form, pages)
      app.get(form.slice(app.prefix.length), { schema: { hide: true } }, (request, reply) => {
        const params = request.params as Record<string, string>
        const path = page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
        return reply.redirect(path, 303)
      })
    }
  }
}

/** The nearest address above that shows something. */
function pageOf(form: string, pages: ReadonlySet<string>): string {
  let path = form
  while (path !== '' && !pages.has(path)) path = path.slice(0, path.lastIndexOf('/'))
  return path
}
