/**
 * Handles GET requests to addresses that otherwise accept only POST. A browser sends such a request if a form
 * was refused and the user then opens the address of the response. The answer is a redirect to the page of
 * the form.
 */
import type { FastifyInstance } from 'fastify'

/**
 * Watches the routes of a scope; call it before they are registered.
 * @returns a function that adds the redirects; call it after all routes of the scope are registered.
 */
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

/** The longest path that has a page and is a parent of the form's path. */
function pageOf(form: string, pages: ReadonlySet<string>): string {
  let path = form
  while (path !== '' && !pages.has(path)) path = path.slice(0, path.lastIndexOf('/'))
  return path
}
