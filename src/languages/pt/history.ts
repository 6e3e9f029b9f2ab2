/** Texts of the dashboard in Portuguese: the history of a booking. */
import type { history as english } from '../en/history.ts'

export const history: Readonly<Record<keyof typeof english, string>> = {
  'history.held': '{actor} guardou os lugares{hasParty, select, true { para {party}} other {}}',
  'history.waitlisted': '{actor} pôs {hasParty, select, true {{party}} other {o grupo}} na lista de espera',
  'history.confirmed': '{actor} confirmou a reserva{hasParty, select, true { para {party}} other {}}',
  'history.offered': '{actor} ofereceu os lugares ao grupo em espera',
  'history.offer-taken': '{actor} aceitou os lugares oferecidos',
  'history.moved':
    '{actor} moveu-a{hasFrom, select, true { de {from} para {to}} other {}}{isClosure, select, true { por causa de um encerramento} other {}}{hasChange, select, true {, e alterou o grupo{change}} other {}}',
  'history.amended': '{actor} alterou o grupo{hasChange, select, true {{change}} other {}}',
  'history.cancelled':
    '{actor} cancelou a reserva{isClosure, select, true { por causa de um encerramento} other {}}',
  'history.extended': '{actor} prolongou o tempo em que os lugares ficam guardados',
  'history.removed': '{actor} retirou a reserva da venda',
  'history.expired': '{actor} libertou os lugares, porque o prazo de pagamento terminou',
  'history.reduced': '{actor} reduziu o preço{hasAmount, select, true { em {amount}} other {}}',
  'history.checked-in':
    '{actor} fez {isCounted, select, true {a contagem} other {o check-in}} do grupo{hasHere, select, true {: {here}} other {}}',
  'history.no-show': '{actor} registou que o grupo não veio',
  'history.attendance-cleared': '{actor} retirou o registo de presença do grupo',
  'history.tickets-made': '{actor} criou {count, plural, one {# bilhete} other {# bilhetes}}',
  'history.ticket-redeemed': '{actor} validou o bilhete {ticket}{hasHere, select, true {: {here}} other {}}',
  'history.redemption-undone':
    '{actor} desfez a validação do bilhete {ticket}{hasHere, select, true {: {here}} other {}}',
  'history.ticket-changed':
    '{actor} alterou {hasFields, select, true {{fields}} other {o contacto}} do bilhete {ticket}',
  'history.confirmation-resent': '{actor} enviou a confirmação de novo',
  'history.messaged': '{actor} enviou uma mensagem a todos os clientes do horário',
  'history.receipt-sent': '{actor} enviou o recibo',
  'history.customer-changed': '{actor} alterou {hasFields, select, true {{fields}} other {o cliente}}',
  'history.customer-erased': '{actor} apagou os dados do cliente',
  'history.other': '{actor} {action}',
  'history.reason': 'Motivo: {reason}',
  'history.after-cutoff': 'Foi depois do prazo',
  'history.price': 'O preço passou de {from} para {to}',
  'history.refund': 'Há {amount} a devolver',
  'history.refund.partner': 'O parceiro devolve {amount}',
  'history.set-off': '{amount} foi compensado com um reembolso por fazer',
  'history.not-told': 'O cliente não foi avisado',
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
  'history.field.PaymentReference': 'a referência do parceiro',
  'history.field.EmailReceipt': 'se o cliente recebe e-mails',
  'history.field.Tickets': 'os contactos ou as referências de bilhetes',
  'history.field.other': '{field}',
  'history.payment-declined': '{actor} recusou o pagamento de {paid}. Nenhum dinheiro foi cobrado',
  'history.payment-unused':
    '{actor} recebeu {paid}, que não foi aplicado a nenhuma reserva. Motivo: {reason}',
  'history.payment-refunded':
    '{actor} registou que o pagamento não aplicado foi devolvido: {paid}{hasBefore, select, true {; antes já tinham sido devolvidos {before}} other {}}',
  'history.refund-undone':
    '{actor} registou que {paid} afinal não foi devolvido{hasReason, select, true {. Motivo: {reason}} other {}}',
  'history.paid':
    '{amount}{method, select, none {} online { online} cash { em dinheiro} card { com cartão} transfer { por transferência bancária} other { por {how}}}{hasReference, select, true { ({reference})} other {}}',
}
