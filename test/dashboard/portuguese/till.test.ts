/** Tills, as a user who chose Portuguese reads them. */
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { mainOf, makeDashboard } from '../fixtures.ts'

t.test('the pages that open, count and close a till are in Portuguese', async (t) => {
  const { sql, accountId, signIn, call } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 4 } })
  const { get, post } = await signIn()
  await sql`update users set locale = 'pt-PT'`
  const show = async (page: string) => mainOf((await get(page)).body)
  const list = '/dashboard/till'
  t.match(await show(list), /Caixa Abertas.*Abrir a sua caixa.*Fundo de caixa em EUR.*Fechadas/)
  await post(list, { Float: '100,50', Currency: 'EUR' })
  const open = await show(list)
  t.match(open, /Utilizador.*Abertura.*A sua.*100,50 €.*Contar e fechar.*Dinheiro fora das caixas/)
  const [{ TillID }] = (await call('GET', '/tills')).data
  const Lines = [{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }]
  const { BasketID } = (await call('POST', '/baskets', { Channel: 'pos', Lines })).data
  await post(`/dashboard/sell/${BasketID}/pay`, { Method: 'cash' })
  const till = await show(`${list}/${TillID}`)
  t.match(till, /A sua caixa.*Dinheiro esperado.*Dinheiro recebido.*Dinheiro contado em EUR.*Movimentos/)
  t.notMatch(till, /Till|Count|Expected|taken|Float|Cash/)
  await post(`${list}/${TillID}/close`, { Counted: '140', Note: 'Troco' })
  const closed = await show(`${list}/${TillID}`)
  t.match(closed, /Fecho da caixa.*Diferença.*a menos.*Contado por.*Imprima esta página/)
  t.match(await show(`${list}/outside?Day=2030-06-15`), 'Nesse dia não houve dinheiro fora das caixas.')
})
