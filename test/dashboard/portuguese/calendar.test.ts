/** The calendar, its timeslots and its links, as a user who chose Portuguese reads them. */
import t, { type Test } from 'tap'
import { makeProduct } from '../../helper.ts'
import { mainOf, makeDashboard } from '../fixtures.ts'

const day = '2030-06-15'

async function makeCalendar(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 4, [`${day} 12:00`]: 8 },
  })
  const { get, post } = await signIn()
  await sql`update users set locale = 'pt-PT'`
  const slots = await sql<{ id: number }[]>`select id from timeslots order by date, time`
  const [first, last] = slots.map(({ id }) => id)
  const book = async () => {
    const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 2 }
    const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
    await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'cash' })
  }
  const show = async (page: string) => mainOf((await get(page)).body)
  const send = async (page: string, fields: Record<string, string>) => mainOf((await post(page, fields)).body)
  return { ...dashboard, post, show, send, book, first: first!, last: last! }
}

t.test('a day, a week and a month of the calendar are in Portuguese', async (t) => {
  const { show, book } = await makeCalendar(t)
  await book()
  const week = await show(`/dashboard/calendar?View=week&Date=${day}`)
  t.match(week, /Calendário.*Semana anterior › Semana seguinte Hoje.*Dia Semana Mês/)
  t.match(week, /Novo horário Encerramento por mau tempo Lista de espera Ligações de calendário/)
  t.match(week, /sáb.*, 15.* 2 reservados, 0 guardados, 10 livres Encerrar/)
  t.match(week, /10:00 Kayak.* 2 de 4 reservados/)
  t.notMatch(week, /booked|held|free|Today|Close|Timeslots|Waitlist|Week/)
  t.match(await show(`/dashboard/calendar?View=day&Date=${day}`), 'Dia anterior')
  const month = await show(`/dashboard/calendar?View=month&Date=${day}`)
  t.match(month, /junho de 2030.*2 horários 2 de 12 reservados/)
  t.match(await show('/dashboard/calendar?View=month&Date=2031-01-01'), 'Não há horários neste mês.')
})

t.test('the pages that change, move and make a timeslot are in Portuguese', async (t) => {
  const { show, book, first, last } = await makeCalendar(t)
  await book()
  const slot = await show(`/dashboard/calendar/timeslots/${first}`)
  t.match(slot, /Calendário dessa semana.*Lugares.*Reservas.*Lista de espera/)
  t.match(slot, /Mover….*Total de lugares.*Alterar a capacidade.*À venda.*Retirar da venda.*Preços/)
  t.notMatch(slot, /Calendar|Bookings|Capacity|Take|Weather|Sell/)
  const moving = await show(`/dashboard/calendar/timeslots/${first}/move?Date=2030-06-16`)
  t.match(moving, 'Há pessoas neste horário: 2 lugares reservados, 0 guardados, 0 em lista de espera.')
  t.match(moving, /Crie um horário em .* com o mesmo número de lugares\./)
  t.match(await show(`/dashboard/calendar/timeslots/${last}/move`), 'Mover o horário')
  const made = await show('/dashboard/calendar/timeslots/new')
  t.match(made, /Novo horário.*Produto.*Realiza-se a uma hora certa todo o dia.*Criar o horário/)
  t.match(await show(`/dashboard/calendar/timeslots/${last}/waitlist`), /8 lugares livres, e ainda ninguém/)
  t.match(await show('/dashboard/calendar/waitlist'), 'Ninguém espera por lugares.')
  const message = await show(`/dashboard/calendar/timeslots/${first}/message`)
  t.match(message, /Mensagem: Kayak.*O horário continua aberto/)
})

t.test('the pages of a weather closure and of a reopening are in Portuguese', async (t) => {
  const { show, send, book, first } = await makeCalendar(t)
  await book()
  const form = await show(`/dashboard/calendar/closures?TimeslotID=${first}`)
  t.match(form, /O que acontece às reservas Cancelá-las Movê-las.*Mostrar o que vai acontecer/)
  t.notMatch(form, /What|them|Message|Show/)
  const closure = { TimeslotID: String(first), Action: 'cancel', 'Refund.Choice': 'full' }
  const preview = await send('/dashboard/calendar/closures', { Step: 'preview', ...closure })
  t.match(preview, /O que vai acontecer.*Encerrar 1 horário e cancelar 1 reserva/)
  t.match(preview, /é cancelada sem endereço de e-mail/)
  t.notMatch(preview, /What|closed|Timeslot|Booking/)
  const report = await send('/dashboard/calendar/closures', { Step: 'close', ...closure })
  t.match(report, /O que foi feito O encerramento está feito\..*Telefone a estes clientes.*A quem telefonar/)
  const calls = await show('/dashboard/calendar/calls')
  t.match(calls, /1 por avisar, sem número de telefone\..*: cancelada\. Não avisado por e-mail/)
  t.match(calls, 'Marcar como avisado')
  const reopening = await show(`/dashboard/calendar/reopen?Date=${day}`)
  t.match(reopening, /Reabrir sáb.*Horários encerrados 10:00 Kayak: 4 lugares livres/)
  t.match(await show(`/dashboard/calendar/timeslots/${first}`), /Retirado da venda.*Pôr outra vez à venda/)
})

t.test('calendar links are made and listed in Portuguese', async (t) => {
  const { show, post } = await makeCalendar(t)
  const path = '/dashboard/calendar/feeds'
  t.match(await show(path), 'Ainda não há nenhuma ligação de calendário.')
  await post(path, { ShowsNames: 'true' })
  const list = await show(path)
  t.match(list, /Todos os produtos, se houver reservas mostrados.*Nunca Revogar/)
  t.match(list, /Nova ligação de calendário Partidas.*Criar uma ligação de calendário/)
  t.notMatch(list, /Departures|Make|Revoke|Never|calendar link/)
})
