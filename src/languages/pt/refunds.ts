/** Texts of the dashboard in Portuguese: refunds. */
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Readonly<Record<keyof typeof english, string>> = {
  'refunds.title': 'Reembolsos',
  'refunds.which': 'Que reembolsos',
  'refunds.due': 'Por fazer ({count})',
  'refunds.due.more': 'Por fazer ({count} ou mais)',
  'refunds.done': 'Feitos',
  'refunds.none-done': 'Ainda nada foi devolvido.',
  'refunds.none-due': 'Não há nada a devolver.',
  'refunds.how-to':
    'Devolva em dinheiro, no terminal de pagamento ou por transferência. Depois escolha “Marcar como devolvido”. O que foi pago online devolve-se no seu prestador de pagamentos: o reembolso é depois marcado aqui automaticamente.',
  'refunds.outside': 'O dinheiro que devolver agora aparece em “Dinheiro fora das caixas”.',
  'refunds.list.done': 'Reembolsos feitos',
  'refunds.list.due': 'Reembolsos por fazer',
  'refunds.sale': 'Venda',
  'refunds.sale-number': 'Venda {id}',
  'refunds.kept': 'Valor retido',
  'refunds.paid-by': 'Forma de pagamento',
  'refunds.since': 'Desde',
  'refunds.paid-back': 'Devolvido',
  'refunds.paid-back-before': 'Já devolvido desta venda',
  'refunds.pay-back': 'Devolver',
  'refunds.rest': 'o resto; {amount} já foi devolvido',
  'refunds.provided': 'pagamento do prestador',
  'refunds.mark': 'Marcar como devolvido',
  'refunds.at-provider':
    'Devolva no seu prestador de pagamentos. O reembolso é depois marcado aqui automaticamente.',
  'refunds.mark-by-hand': 'Marcar à mão',
  'refunds.undo': 'Desfazer',
  'refunds.paid-back-by': 'Forma de devolução',
  'refunds.yes': 'Sim, {amount} foi devolvido',
  'refunds.several': 'Se devolver por várias formas, indique o que devolveu por cada uma, uma de cada vez.',
  'refunds.part': 'Devolvido agora',
  'refunds.yes-this': 'Sim, foi devolvido',
  'refunds.no-money': 'O serviço não movimenta dinheiro: marque só quando o tiver devolvido.',
  'refunds.undo.cash':
    'O dinheiro volta a contar na caixa de onde saiu; se essa caixa estiver fechada, aparece em “Dinheiro fora das caixas”.',
  'refunds.reason.hint': 'O histórico da reserva mostra-o',
  'refunds.was-not': '{amount} não foi devolvido',
  'refunds.undo.about':
    'Desfaça a marcação só se o dinheiro não tiver sido devolvido. O reembolso volta então a estar por fazer.',
  'refunds.provider-reference': 'Referência do prestador',
}
