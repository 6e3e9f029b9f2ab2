/** The reasons in Portuguese why a webhook was not sent, or got no response. */
export const webhooks: Readonly<Record<string, string>> = {
  'Its event has expired, so there is nothing to send.':
    'O seu evento expirou, por isso não há nada para enviar.',
  'Its secrets cannot be decrypted: the worker has no SECRET_KEY, or not the one that encrypted them.':
    'Os seus segredos não se podem decifrar: o worker não tem SECRET_KEY, ou não a que os cifrou.',
  'It could not be sent, or its response could not be read, because of an error of the service: its log has the cause.':
    'Não pôde ser enviado, ou a sua resposta não pôde ser lida, devido a um erro do serviço: a causa está no registo do serviço.',
  'Its body could not be composed: the log of the service has the cause.':
    'O seu conteúdo não pôde ser composto: a causa está no registo do serviço.',
  'The URL {words}.': 'O URL {words}.',
  'The URL must lead to a public address.': 'O URL tem de levar a um endereço público.',
  'The host name has no address that may be called: it is unknown, or leads to a network that is not public.':
    'O nome do servidor não tem um endereço que se possa chamar: é desconhecido, ou leva a uma rede que não é pública.',
  'The receiver refuses connections.': 'O recetor recusa ligações.',
  'The receiver ended the connection before it was open.':
    'O recetor terminou a ligação antes de estar aberta.',
  'The receiver cannot be reached.': 'Não se consegue chegar ao recetor.',
  'No connection could be opened.': 'Não foi possível abrir uma ligação.',
  'The receiver’s certificate has expired.': 'O certificado do recetor expirou.',
  'The receiver’s certificate is not valid yet.': 'O certificado do recetor ainda não é válido.',
  'The receiver’s certificate is signed by itself.': 'O certificado do recetor está assinado por si próprio.',
  'The receiver’s certificate comes from an authority that is not trusted.':
    'O certificado do recetor vem de uma autoridade que não é de confiança.',
  'The receiver does not send its intermediate certificates.':
    'O recetor não envia os certificados intermédios.',
  'The receiver’s certificate is for another host name.':
    'O certificado do recetor é para outro nome de servidor.',
  'No secure connection (TLS) could be opened.': 'Não foi possível abrir uma ligação segura (TLS).',
  'The receiver did not accept a connection within {n} seconds.':
    'O recetor não aceitou uma ligação em {n} segundos.',
  'The receiver did not begin to answer within {n} seconds.':
    'O recetor não começou a responder em {n} segundos.',
  'The receiver did not answer within {n} seconds.': 'O recetor não respondeu em {n} segundos.',
  'The headers of the response are too large.': 'Os cabeçalhos da resposta são demasiado grandes.',
  'The response is not HTTP/1.1.': 'A resposta não é HTTP/1.1.',
  'The connection ended before the whole response had arrived.':
    'A ligação terminou antes de chegar a resposta inteira.',
}
