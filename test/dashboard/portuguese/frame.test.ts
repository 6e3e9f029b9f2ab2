/** The menu, notices, the account, test mode and a missing page, as a user who chose Portuguese reads them. */
import t from 'tap'
import { makeDashboard, textOf } from '../fixtures.ts'

t.test('the menu, notices, the account and test mode are in Portuguese', async (t) => {
  const { sql, signIn } = await makeDashboard(t)
  const { get } = await signIn()
  await sql`update users set locale = 'pt-PT'`
  const account = (await get('/dashboard/account?done=saved')).body
  const text = textOf(account)
  t.match(account, '<html lang="pt-PT">')
  t.match(text, /Dia a dia.*Reservas.*Vender.*Reembolsos.*Guardado\./)
  t.match(account, 'Portugal')
  t.match(account, '>Alemanha<')
  t.notMatch(text, /Bookings|Refunds|Users|Saved|Sign out|Current password|Business details/)
  t.notMatch(account, '>Germany<')
  const today = (await get('/dashboard/today')).body
  t.match(
    today,
    /<body data-no-network="Não há rede\.[^"]*" data-updated="Atualizado às \{time\}\." data-signed-out="A sua sessão terminou\./,
  )
  t.notMatch(textOf((await get('/dashboard/test-mode')).body), /Test mode|nothing is sold|Open test/)
})

t.test('a page that does not exist has the menu and the language of the user', async (t) => {
  const { app, sql, signIn } = await makeDashboard(t)
  const { get } = await signIn()
  await sql`update users set locale = 'pt-PT'`
  const english = { 'accept-language': 'en' }
  const missing = await get('/dashboard/nada', english)
  t.equal(missing.statusCode, 404)
  t.match(missing.body, '<html lang="pt-PT">')
  t.match(textOf(missing.body), 'Reservas')
  t.match(missing.body, /<main.*role="search".*name="Search".*href="\/dashboard">Ir para Hoje</s)
  const stranger = await app.inject({ url: '/dashboard/nada', headers: english })
  t.equal(stranger.statusCode, 404)
  t.match(stranger.body, '<html lang="en-GB">')
  t.notMatch(textOf(stranger.body), 'Refunds')
  t.notMatch(stranger.body, 'name="Search"')
})
