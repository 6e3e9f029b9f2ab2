/** The reasons in Portuguese why an e-mail was not sent. */
export const emails: Readonly<Record<string, string>> = {
  'It is not due yet, because the booking or the workflow was changed. Another e-mail is sent when it is due.':
    'Ainda não é a altura de enviar, porque a reserva ou a mensagem automática foi alterada. Outro e-mail é enviado na devida altura.',
  'It cannot be shown now, because the templates of this account take too long.':
    'Não se pode mostrar agora, porque os modelos desta conta demoram demasiado.',
  'Template: the subject is empty': 'Modelo: o assunto está vazio',
  'The outcome could not be stored: PostgreSQL rejected the data.':
    'O resultado não pôde ser guardado: o PostgreSQL recusou os dados.',
  'The server did not accept it in time.': 'O servidor não o aceitou a tempo.',
  'The service failed to send it: its log has the cause.':
    'O serviço não conseguiu enviá-lo: a causa está no seu registo.',
  'The service took too long to read or store its data.':
    'O serviço demorou demasiado a ler ou a guardar os seus dados.',
  'The booking does not exist any more.': 'A reserva já não existe.',
  'The booking has moved to another timeslot.': 'A reserva foi movida para outro horário.',
  'The booking is now for another product.': 'A reserva é agora de outro produto.',
  'The endpoint is no longer paused.': 'O endpoint já não está em pausa.',
  'Nothing is paid.': 'Nada foi pago.',
  // Stored by earlier versions.
  'The offer is over.': 'A oferta terminou.',
  'The waitlist offer has ended.': 'A oferta da lista de espera terminou.',
  'The party did not come.': 'O grupo não veio.',
  'The places are held again.': 'Os lugares estão de novo guardados.',
  'The recipient has unsubscribed from these e-mails.':
    'O destinatário cancelou a subscrição destes e-mails.',
  'The timeslot has begun.': 'O horário já começou.',
  'The worker has no SECRET_KEY to sign the link.': 'O worker não tem SECRET_KEY para assinar a ligação.',
  'The workflow has been deleted.': 'A mensagem automática foi apagada.',
  'The workflow is switched off.': 'A mensagem automática está desligada.',
}
