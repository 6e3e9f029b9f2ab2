/** Texts of the dashboard in Portuguese: the history of a booking. */
import type { history as english } from '../en/history.ts'

export const history: Readonly<Record<keyof typeof english, string>> = {
  'history.held': '{actor} guardou os lugares{party, select, none {} other { para {party}}}',
  'history.waitlisted': '{actor} pôs {party, select, none {o grupo} other {{party}}} na lista de espera',
  'history.confirmed': '{actor} confirmou a reserva{party, select, none {} other { para {party}}}',
  'history.offered': '{actor} ofereceu os lugares ao grupo em espera',
  'history.offer-taken': '{actor} aceitou os lugares oferecidos',
  'history.moved':
    '{actor} moveu-a{from, select, none {} other { de {from} para {to}}}{isClosure, select, true { por causa de um encerramento} other {}}{change, select, none {} other {, e alterou o grupo{change}}}',
  'history.amended': '{actor} alterou o grupo{change, select, none {} other {{change}}}',
  'history.cancelled':
    '{actor} cancelou a reserva{isClosure, select, true { por causa de um encerramento} other {}}',
  'history.removed': '{actor} retirou a reserva da venda',
  'history.expired': '{actor} libertou os lugares, porque o prazo de pagamento terminou',
  'history.reduced': '{actor} reduziu o preço{amount, select, none {} other { em {amount}}}',
  'history.checked-in': '{actor} fez o check-in do grupo{here, select, none {} other {: {here}}}',
  'history.no-show': '{actor} registou que o grupo não veio',
  'history.attendance-cleared': '{actor} retirou a presença do grupo',
  'history.tickets-made': '{actor} criou {count, plural, one {# bilhete} other {# bilhetes}}',
  'history.ticket-redeemed': '{actor} usou o bilhete {ticket}{here, select, none {} other {: {here}}}',
  'history.redemption-undone':
    '{actor} anulou o uso do bilhete {ticket}{here, select, none {} other {: {here}}}',
  'history.ticket-changed':
    '{actor} alterou {fields, select, none {o contacto} other {{fields}}} do bilhete {ticket}',
  'history.confirmation-resent': '{actor} enviou a confirmação de novo',
  'history.messaged': '{actor} enviou uma mensagem a todos do horário',
  'history.receipt-sent': '{actor} enviou o recibo',
  'history.customer-changed': '{actor} alterou {fields, select, none {o cliente} other {{fields}}}',
  'history.customer-erased': '{actor} apagou os dados do cliente',
  'history.other': '{actor} {action}',
  'history.reason': 'Motivo: {reason}',
  'history.after-cutoff': 'Foi depois do prazo',
  'history.price': 'O preço passou de {from} para {to}',
  'history.refund': 'Há {amount} a devolver',
  'history.set-off': '{amount} foi compensado com um reembolso por fazer',
  'history.not-told': 'O cliente não foi informado',
  'history.change.units': ' para {units}',
  'history.change.each': ': {changes}',
  'history.change.unit': '{unit} de {from} para {to}',
  'history.change.people': ' de {from} para {to}',
  'history.person': 'Pessoa',
  'history.field.FirstName': 'o nome próprio',
  'history.field.LastName': 'o apelido',
  'history.field.Email': 'o e-mail',
  'history.field.Phone': 'o telefone',
  'history.field.Answers': 'as respostas',
  'history.field.Contact': 'o contacto',
  'history.field.Notes': 'as notas',
  'history.field.other': '{field}',
  'history.payment-declined': '{actor} recusou o pagamento de {paid}. Nenhum dinheiro foi cobrado',
  'history.payment-unused': '{actor} recebeu {paid}, que nada comprou. Motivo: {reason}',
  'history.payment-refunded': '{actor} registou que o pagamento que nada comprou foi devolvido: {paid}',
  'history.refund-undone':
    '{actor} registou que {paid} afinal não foi devolvido{reason, select, none {} other {. Motivo: {reason}}}',
  'history.paid':
    '{amount}{method, select, none {} online { online} other { por {how}}}{reference, select, none {} other { ({reference})}}',
}
