/** Selling, as a user who chose Portuguese reads it. */
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { mainOf, makeDashboard, textOf } from '../fixtures.ts'

t.test('a sale is made in Portuguese from its timeslot to its receipt', async (t) => {
  const { sql, accountId, signIn } = await makeDashboard(t)
  const slots = { '2030-06-15 10:00': 4, '2030-06-16 10:00': 4 }
  const { id, activityId } = await makeProduct(sql, accountId, { slots })
  const { get, post } = await signIn('staff')
  await sql`update users set locale = 'pt-PT'`
  const show = async (page: string) => mainOf((await get(page)).body)
  const hold = { ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2' }
  const form = await show(`/dashboard/sell?ProductID=${id}&From=2030-06-15`)
  t.match(form, /Vender.*Horário Cliente Pagamento.*Vendas em curso.*4 lugares livres/)
  t.match(form, 'Guardar os lugares')
  t.notMatch(form, /Sell|Timeslot|How many|places|Hold/)

  const refused = await post('/dashboard/sell', { ...hold, Participants: '9' })
  t.match(textOf(refused.body), 'Pôr na lista de espera')

  const path = (await post('/dashboard/sell', hold)).headers.location!
  const customer = await show(path)
  t.match(customer, /Lugares guardados até .*: mais ninguém fica com eles\./)
  t.match(customer, 'A pagar: 90,00')
  t.match(customer, 'Código de promoção')
  t.match(customer, 'Seguir para o pagamento')
  t.notMatch(customer, /nobody else|On to the|Add another|Promotion|Remove/)
  t.match(await show('/dashboard/sell/held'), /Vendas em curso.*Feita por/)

  const payment = await show(`${path}/pay?Nameless=true`)
  t.match(payment, /Forma de pagamento.*Dinheiro.*Cartão.*Receber/)
  t.match(payment, /Receber só uma parte, ou nada por agora.*Valor em EUR/)
  t.match(payment, 'Dar um desconto')
  t.notMatch(payment, /Paid by|Take|Reduce|Amount/)

  await post(`${path}/pay`, { Method: 'card', Reference: 'T1-7' })
  const sold = await show(path)
  t.match(sold, /Vendido.*A referência da reserva:.*\(cartão, T1-7\) Venda seguinte Recibo Bilhetes/)
  t.notMatch(sold, /Paid|Next sale|Receipt|Tickets/)
  const receipt = await show(`${path}/receipt`)
  t.match(receipt, /Recibo \d+.*Venda \d+.*O recibo ainda não tem morada nem NIF\./)
  t.match(receipt, 'Para o cliente Não há endereço de e-mail: imprima esta página.')
})

t.test('the page of a sale whose places were released is in Portuguese', async (t) => {
  const { sql, accountId, signIn } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 4 } })
  const { get, post } = await signIn('staff')
  await sql`update users set locale = 'pt-PT'`
  const hold = { ActivityID: activityId, Slot: '2030-06-15T10:00', Participants: '2' }
  const path = (await post('/dashboard/sell', hold)).headers.location!
  await post(`${path}/release`)
  const text = textOf((await get(path)).body)
  t.match(text, /Os lugares desta venda foram libertados\. Nova venda/)
})
