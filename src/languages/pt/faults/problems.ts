/** The messages of problems that are whole sentences, in Portuguese. */
export const problems: Readonly<Record<string, string>> = {
  'Please correct this and send it again:': 'Corrija o seguinte e envie de novo:',
  'This page does not exist, or it was removed.': 'Esta página não existe, ou foi removida.',
  'Other changes were saved after you opened this page. Your changes are not saved yet. If you save again, they replace the other changes.':
    'Foram guardadas outras alterações depois de abrir esta página. As suas ainda não estão guardadas. Se guardar de novo, substituem as outras.',
  'This form was sent before with other values. Please check the values and send it again.':
    'Este formulário já foi enviado com outros valores. Verifique os valores e envie de novo.',
  'This form has expired. Please open the page again.': 'Este formulário expirou. Abra a página de novo.',
  'The form cannot be read.': 'Não se consegue ler o formulário.',
  'You are signed out. Please sign in again.': 'A sessão terminou. Inicie sessão de novo.',
  'Only owners of the account may do this, and you are signed in as {words}. Ask an owner to do it, or to make you one.':
    'Só proprietários da conta podem fazer isto, e a sua função é {words}. Peça a um proprietário que o faça, ou que lhe dê essa função.',
  owner: 'proprietário',
  staff: 'colaborador',
  'Test mode uses the live catalogue, which can be changed only in live mode. Nothing was changed.':
    'O modo de teste usa o catálogo real, que só se pode mudar no modo real. Nada foi alterado.',
  'Too many attempts; please wait {n} second.': 'Demasiadas tentativas; aguarde {n} segundo.',
  'Too many attempts; please wait {n} seconds.': 'Demasiadas tentativas; aguarde {n} segundos.',
  'Too many people are signing in; please try again.':
    'Há demasiadas pessoas a iniciar sessão; tente de novo.',
  'Too many requests are waiting; please try again.': 'Há demasiados pedidos à espera; tente de novo.',
  'Too many bookings are waiting; please try again.': 'Há demasiadas reservas à espera; tente de novo.',
  'Too many pages are open; the newest pages do not update automatically.':
    'Há demasiadas páginas abertas; as mais recentes não se atualizam sozinhas.',
  'Too much is being sent at once; please send this again after other requests have been answered.':
    'Está a ser enviada demasiada coisa ao mesmo tempo; envie de novo quando os outros pedidos tiverem resposta.',
  'Too much usage is waiting to be stored; please try again.':
    'Há demasiado consumo por guardar; tente de novo.',
  'The timeslot is being changed; please try again.': 'O horário está a ser alterado; tente de novo.',
  'The service is overloaded; please try again.': 'O serviço está sobrecarregado; tente de novo.',
  'The service cannot respond at the moment; please try again.':
    'O serviço não consegue responder agora; tente de novo.',
  'The service did not respond in time; please try again.': 'O serviço não respondeu a tempo; tente de novo.',
  'The service failed unexpectedly. Its log has the cause under this Request-Id.':
    'O serviço falhou inesperadamente. O registo tem a causa com este Request-Id.',
  'The queue cannot be reached.': 'A fila não está acessível.',
  'The queues show data of several accounts, so nobody may see them until QUEUES_ACCOUNT names the account whose owners may.':
    'As filas mostram dados de várias contas, por isso ninguém as pode ver até QUEUES_ACCOUNT indicar a conta cujos proprietários podem.',
  'The queues show data of several accounts, so only owners of the account that QUEUES_ACCOUNT names may see them.':
    'As filas mostram dados de várias contas, por isso só proprietários da conta indicada em QUEUES_ACCOUNT as podem ver.',
  'On this page a job can only be retried. Removing, adding or changing a job could lose or forge accepted data.':
    'Aqui só se pode repetir uma tarefa. Remover, juntar ou mudar uma podia perder o que foi aceite, ou falsificá-lo.',
  'Secrets cannot be stored: SECRET_KEY is not set.': 'Aqui não se podem guardar segredos: falta SECRET_KEY.',
  'The request could not be read: {reason}.': 'Não se conseguiu ler o pedido: {reason}.',
  'The body is larger than this operation accepts.': 'O que foi enviado é maior do que o permitido.',
  'The body has more than {n} values.': 'O que foi enviado tem mais de {n} valores.',
  'The body must be application/json, or a form in a request for a page.':
    'O que foi enviado tem de ser um formulário.',
  'There is nothing at this address.': 'Não há nada neste endereço.',
  'This address supports only {methods}.': 'Este endereço só aceita {methods}.',
  // Places
  'The timeslot has 1 place left.': 'O horário tem 1 lugar livre.',
  'The timeslot has {n} place left.': 'O horário tem {n} lugar livre.',
  'The timeslot has {n} places left.': 'O horário tem {n} lugares livres.',
  'The activity has no such timeslot on sale.': 'A atividade não tem esse horário à venda.',
  'The timeslot has places for this party: book it instead.':
    'O horário tem lugares para este grupo: faça uma reserva em vez de o pôr em espera.',
  '{n} place is booked and {m} is held.': '{n} lugar está reservado e {m} está guardado.',
  '{n} place is booked and {m} are held.': '{n} lugar está reservado e {m} estão guardados.',
  '{n} places are booked and {m} is held.': '{n} lugares estão reservados e {m} está guardado.',
  '{n} places are booked and {m} are held.': '{n} lugares estão reservados e {m} estão guardados.',
  'The product has a timeslot at this date and time.': 'O produto já tem um horário nessa data e hora.',
  'It has begun.': 'Já começou.',
  'Somebody has booked it. A closure moves the bookings to another timeslot.':
    'Alguém reservou. Um encerramento move as reservas para outro horário.',
  'Places of it are held. A closure moves them to another timeslot.':
    'Há lugares guardados. Um encerramento move-os para outro horário.',
  'Somebody is on its waitlist. A closure informs the waiting customers.':
    'Alguém espera por lugares. Um encerramento avisa-o.',
  'It is closed. Put it on sale again first.': 'Está encerrado. Ponha-o primeiro à venda de novo.',
  // Sales and bookings
  'The basket is open.': 'A venda está aberta.',
  'The basket is waiting.': 'A venda está na lista de espera.',
  'The basket is completed.': 'A venda está concluída.',
  'The basket is cancelled.': 'A venda foi cancelada.',
  'The basket is expired.': 'A venda expirou.',
  'The basket is refund-due.': 'A venda tem um reembolso por fazer.',
  'The basket is refunded.': 'A venda foi reembolsada.',
  'The booking is held.': 'A reserva está por confirmar.',
  'The booking is waitlisted.': 'A reserva está na lista de espera.',
  'The booking is confirmed.': 'A reserva está confirmada.',
  'The booking is cancelled.': 'A reserva foi cancelada.',
  'The booking is expired.': 'A reserva expirou.',
  'The booking is redeemed.': 'A reserva já foi usada.',
  'This waitlist entry is waiting.': 'Esta entrada na lista de espera ainda espera.',
  'This waitlist entry is offered.': 'Esta entrada na lista de espera tem uma oferta.',
  'This waitlist entry is taken.': 'A oferta desta entrada na lista de espera foi aceite.',
  'This waitlist entry is left.': 'O cliente saiu da lista de espera.',
  'This waitlist entry is expired.': 'Esta entrada na lista de espera expirou.',
  'A reseller holds the places of this basket.': 'Um revendedor tem guardados os lugares desta venda.',
  'The basket has no line to pay for.': 'A venda não tem nada por pagar.',
  'The places are already held for the longest time that the account allows.':
    'Os lugares já estão guardados pelo tempo máximo que a conta permite.',
  'The booking could be cancelled until {date}.': 'A reserva podia ser cancelada até {date}.',
  'The booking would cost {amount} {currency}.': 'A reserva custaria {amount} {currency}.',
  'The booking has no e-mail address.': 'A reserva não tem endereço de e-mail.',
  'More tickets have been redeemed than the booking would have.':
    'Já foram usados mais bilhetes do que a reserva teria.',
  'The ticket was redeemed at {date}.': 'O bilhete foi usado em {date}.',
  'The ticket was already redeemed: {date}.': 'O bilhete já foi usado: {date}.',
  'The ticket has been void since {date}.': 'O bilhete está anulado desde {date}.',
  'The personal data of this booking’s customer has been erased.':
    'Os dados pessoais do cliente desta reserva foram apagados.',
  'The customer has bookings that are held, on the waitlist, or not over yet: {references}. Confirmed ones can be erased with an option of the request.':
    'O cliente tem reservas por confirmar, na lista de espera ou ainda por terminar: {references}. As confirmadas podem ser apagadas com uma opção do formulário.',
  // Money
  'This sale has no amount left to pay.': 'Esta venda não tem nada por pagar.',
  'This sale has no overpaid money.': 'Esta venda não tem dinheiro pago a mais.',
  'Nothing has been paid for this basket.': 'Nada foi pago por esta venda.',
  'No refund is due for {payments}.': 'Não há reembolso por fazer de {payments}.',
  'It was already paid back.': 'Já foi devolvido.',
  'Nothing of this refund is due.': 'Não há nada a devolver.',
  'It is not marked as paid back.': 'Não está marcado como devolvido.',
  'The payment provider has confirmed this refund, or an earlier version of the service marked it, so the mark stays.':
    'O prestador de pagamentos confirmou este reembolso, ou uma versão anterior do serviço marcou-o, por isso a marcação mantém-se.',
  'Another user marked this refund. Ask that user, or an owner, to undo it.':
    'Outro utilizador marcou este reembolso. Peça a esse utilizador, ou a um proprietário, que o desfaça.',
  'A till is already open in {currency}: close it before you open another.':
    'Já há uma caixa aberta em {currency}: feche-a antes de abrir outra.',
  'The till was closed at {date}.': 'A caixa foi fechada em {date}.',
  'The till was already closed at {date}.': 'A caixa já tinha sido fechada em {date}.',
  'The till has {inTill} in cash; this refund takes {refund}.':
    'A caixa tem {inTill} em dinheiro; este reembolso precisa de {refund}.',
  // Promotions
  'The account has a promotion with the code {code}.': 'A conta já tem uma promoção com o código {code}.',
  'There is no promotion with this code.': 'Não há nenhuma promoção com este código.',
  'The promotion has ended.': 'A promoção terminou.',
  'The promotion is not valid today.': 'A promoção hoje não está em vigor.',
  'The promotion is for other products, days or currencies than those in the basket.':
    'A promoção é para outros produtos, dias ou moedas do que os da venda.',
  'The promotion needs the customer’s e-mail address.':
    'A promoção precisa do endereço de e-mail do cliente.',
  'This customer has used the promotion as often as it allows.':
    'O cliente já usou a promoção as vezes que podia.',
  'The promotion is used up.': 'A promoção esgotou-se.',
  // E-mails, webhooks and limits
  'The account has a workflow named {name}.': 'A conta já tem uma mensagem automática com o nome {name}.',
  'The account may have at most {n} {words}.': 'A conta pode ter no máximo {n} {words}.',
  'calendar links of each user': 'ligações de calendário por utilizador',
  thresholds: 'limiares',
  workflows: 'mensagens automáticas',
  'webhook endpoints': 'endpoints de webhook',
  products: 'produtos',
  schedules: 'planos de horários',
  'An account may send {n} e-mails of messages in 24 hours, and this message would exceed that.':
    'Uma conta pode enviar {n} e-mails de mensagens em 24 horas, e esta mensagem passaria desse número.',
  'The account has sent {n} test e-mails today, which is the limit. The next can be sent after midnight UTC.':
    'A conta enviou hoje {n} e-mails de teste, que é o limite. O próximo pode seguir depois da meia-noite UTC.',
  'The templates of this account took too long to render; please wait {n} second.':
    'Os modelos desta conta demoraram demasiado a gerar; aguarde {n} segundo.',
  'The templates of this account took too long to render; please wait {n} seconds.':
    'Os modelos desta conta demoraram demasiado a gerar; aguarde {n} segundos.',
  'The e-mail is queued, not failed.': 'O e-mail está na fila, e não falhou.',
  'The e-mail is sent, not failed.': 'O e-mail foi enviado, e não falhou.',
  'The e-mail is dropped, not failed.': 'O e-mail foi descartado, e não falhou.',
  'The endpoint already has two secrets.': 'O endpoint já tem dois segredos.',
  'The endpoint has no other secret.': 'O endpoint não tem outro segredo.',
  'The endpoint has {n} unfinished deliveries. Wait until the receiver accepts them.':
    'O endpoint tem {n} entregas por terminar. Espere até o recetor as aceitar.',
  'The endpoint is paused: resume it first.': 'O endpoint está em pausa: retome-o primeiro.',
  'The meter already has this threshold for this period.': 'O contador já tem este limiar para este período.',
  'The entry was accepted, but could not be stored, so no total counts it. It can be voided after the operator has resolved this.':
    'O registo foi aceite, mas não se conseguiu guardar, por isso nenhum total o conta. Pode ser anulado depois de isto se resolver.',
  'The entry may not be stored yet; please try again.':
    'O registo pode ainda não estar guardado; tente de novo.',
}
