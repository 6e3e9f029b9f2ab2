/** Faults of settings, webhooks, e-mails, usage, reports, users, keys and secrets, in Portuguese. */
export const settings: Readonly<Record<string, string>> = {
  'is not a country in the list': 'não é um país da lista',
  'is not your password': 'não é a sua palavra-passe',
  'line {n} {words}': 'na linha {n}: {words}',
  'must be a PNG, JPEG or WebP file': 'tem de ser um ficheiro PNG, JPEG ou WebP',
  'must be a picture of at most 256 kB in Base64': 'tem de ser uma imagem com 256 kB no máximo, em Base64',
  'must be a colour of the form #0a5bb0, in lower case': 'tem de ser uma cor da forma #0a5bb0, em minúsculas',
  'must have the placeholder {BasketID}, which identifies the payment':
    'precisa do marcador {BasketID}, que distingue os pagamentos',
  'must be a complete https address, without a user name or spaces':
    'tem de ser um endereço https completo, sem nome de utilizador nem espaços',
  'must have its placeholders after the host name': 'só pode ter marcadores depois do nome do servidor',
  'must be one of your products': 'tem de ser um dos seus produtos',
  // Webhooks
  'is not a type of event': 'não é um tipo de evento',
  'is not a type of event that partners get': 'não é um tipo de evento que os parceiros recebam',
  'cannot be changed: the endpoint was made through OCTO':
    'não pode mudar: o endpoint foi criado através do OCTO',
  'or {field} is needed, and not both': 'ou {field}: preencha um dos dois, e só um',
  'or {field} must be given, and not both': 'ou {field}: indique um dos dois, e só um',
  'cannot be combined with {field}: fill in one of them':
    'não se pode combinar com {field}: preencha só um dos dois',
  'must not contain spaces, line breaks or backslashes':
    'não pode ter espaços, mudanças de linha nem barras invertidas',
  'must begin with https:// and a host name': 'tem de começar por https:// e o nome de um servidor',
  'must begin with http:// or https:// and a host name':
    'tem de começar por http:// ou https:// e o nome de um servidor',
  'must begin with https://': 'tem de começar por https://',
  'must not contain a user name or password': 'não pode ter um nome de utilizador nem uma palavra-passe',
  'must not contain a fragment (#)': 'não pode ter um fragmento (#)',
  'must not have the port {n}, which belongs to another protocol':
    'não pode ter a porta {n}, que é de outro protocolo',
  'must lead to a public address': 'tem de levar a um endereço público',
  // E-mails
  'must be at least 1 before the start': 'tem de ser pelo menos 1 antes do início',
  'is not a booking of this account on a timeslot': 'não é uma reserva desta conta num horário',
  'cannot be rendered: {reason}': 'não se pode gerar: {reason}',
  'cannot be read: {reason}': 'não se pode ler: {reason}',
  'It cannot be read: {reason}': 'Não se pode ler: {reason}',
  'names {{ {name} }}, which does not exist: see the list of variables':
    'usa {{ {name} }}, que não existe: veja o que se pode usar',
  'has a filter “{name}”, which does not exist': 'tem um filtro “{name}”, que não existe',
  'takes too long to render': 'demora demasiado a gerar',
  'It takes too long to render': 'Demora demasiado a gerar',
  'has a {{ without its }}': 'tem um {{ sem o seu }}',
  'has {% {name} %}, which does not exist': 'tem {% {name} %}, que não existe',
  'has {% {name} … %} without its end': 'tem {% {name} … %} sem o seu fim',
  'has a {{ }} that names nothing': 'tem um {{ }} vazio',
  'It {words}': 'O texto {words}',
  '{words} (line {n})': '{words} (linha {n})',
  // Usage and reports
  'must be at most {n} days after the first day: a summary by day or a file of entries covers at most {m} days':
    'não pode ficar a mais de {n} dias do primeiro dia: somas por dia e ficheiros têm {m} dias no máximo',
  'must be closer to the first day: {words}': 'tem de ficar mais perto do primeiro dia: {words}',
  'must name fewer meters: {words}': 'tem de indicar menos contadores: {words}',
  'a response has at most {n} sums by day, one for each meter and day with entries':
    'uma página tem no máximo {n} somas por dia, uma por cada contador e dia com registos',
  'must be less than {n} days after {field}, with at most {m} periods':
    'tem de ficar a menos de {n} dias de {field}, com {m} períodos no máximo',
  // Users, keys and secrets: what follows “Nothing was changed:”
  'users belong to the live account, and see its test account too: name the live account':
    'os utilizadores pertencem à conta real, e veem também a de teste: indique a conta real',
  'the user {email} already exists': 'o utilizador {email} já existe',
  'there is no user {email}': 'não existe o utilizador {email}',
  '{email} is the last owner who can sign in: create another owner first':
    '{email} é o último proprietário que pode iniciar sessão: crie primeiro outro proprietário',
  'key {n} is expired: create a new one': 'a chave {n} expirou: crie uma nova',
  'key {n} is revoked: create a new one': 'a chave {n} foi revogada: crie uma nova',
  'key {n} was already rotated: key {m} replaces it': 'a chave {n} já foi substituída pela chave {m}',
  'two secrets are live already: revoke one first': 'já há dois segredos ativos: revogue um primeiro',
}
