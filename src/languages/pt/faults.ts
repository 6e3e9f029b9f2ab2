/**
 * What is wrong with a request, in Portuguese, by the English message. A message about a field continues the field's label, so
 * it begins with a verb and agrees with no gender. faults.ts says what the places in braces carry over.
 */
type FaultTable = Readonly<Record<string, string>>

/** Messages about fields that schemas and their rules give. */
const values: FaultTable = {
  'is required': 'está por preencher',
  'is not valid': 'não é válido',
  'must be string': 'tem de ser texto',
  'must be integer': 'tem de ser um número inteiro',
  'must be number': 'tem de ser um número',
  'must be boolean': 'tem de ser sim ou não',
  'must be array': 'tem de ser uma lista',
  'must be object': 'tem de ser um objeto',
  'must be equal to constant': 'não tem um dos valores possíveis',
  'must match a schema in anyOf': 'não tem um dos valores possíveis',
  'must match pattern {pattern}': 'não tem a forma certa',
  'must match format {format}': 'não tem a forma certa',
  'must NOT have fewer than {n} characters': 'tem de ter pelo menos {n} caracteres',
  'must NOT have more than {n} characters': 'não pode ter mais de {n} caracteres',
  'must NOT have fewer than {n} items': 'tem de ter pelo menos {n} elementos',
  'must NOT have fewer than 1 items': 'tem de ter pelo menos um elemento',
  'must NOT have more than {n} items': 'não pode ter mais de {n} elementos',
  'must NOT have fewer than {n} properties': 'tem de ter pelo menos {n} campos',
  'must NOT have duplicate items (items ## {n} and {m} are identical)': 'não pode ter elementos repetidos',
  'must be >= {n}': 'tem de ser pelo menos {n}',
  'must be <= {n}': 'não pode ser mais de {n}',
  'must be > {n}': 'tem de ser mais de {n}',
  'must be < {n}': 'tem de ser menos de {n}',
  'must be one of {values}': 'não tem um dos valores possíveis',
  'must have 1 to {n} characters': 'tem de ter entre 1 e {n} caracteres',
  'must have at most {n} characters': 'não pode ter mais de {n} caracteres',
  'must have at most {n} bytes of UTF-8': 'não pode ter mais de {n} bytes em UTF-8',
  'must have at most {n} decimals': 'não pode ter mais de {n} casas decimais',
  'must have at most {n} items': 'não pode ter mais de {n} elementos',
  'must have at most {n} lines': 'não pode ter mais de {n} linhas',
  'must have at most {n} kB': 'não pode ter mais de {n} kB',
  'must not contain NUL or lone surrogates': 'contém caracteres que não se podem guardar',
  'must not be blank': 'não pode ficar em branco',
  'must be a calendar date, YYYY-MM-DD': 'tem de ser uma data do calendário, AAAA-MM-DD',
  'must be a clock time, HH:MM': 'tem de ser uma hora, HH:MM',
  'must be a month, YYYY-MM': 'tem de ser um mês, AAAA-MM',
  'must be from the year 1000 on': 'tem de ser do ano 1000 em diante',
  'must be an instant with its offset, such as 2027-06-12T09:00:00Z':
    'tem de ser um instante com o seu fuso, por exemplo 2027-06-12T09:00:00Z',
  'must be a date and a time, such as 2027-06-11T10:00':
    'tem de ser uma data e uma hora, por exemplo 2027-06-11T10:00',
  'must be a valid instant in the years 1 to 9999': 'tem de ser um instante válido entre os anos 1 e 9999',
  'is not an instant': 'não é um instante',
  'is no day of the calendar': 'não é um dia do calendário',
  'must be an e-mail address': 'tem de ser um endereço de e-mail',
  'must be a phone number in international format with a leading +':
    'tem de ser um número de telefone em formato internacional, com + no início',
  'must be a phone number, for example +351 282 555 010':
    'tem de ser um número de telefone, por exemplo +351 282 555 010',
  'needs + and the country code, for example +351 912 345 678':
    'precisa de + e do indicativo do país, por exemplo +351 912 345 678',
  'is not a number of {country}. Check its digits, or add + and the country code, for example +351 912 345 678':
    'não é um número do país {country}. Verifique os algarismos, ou junte + e o indicativo do país, por exemplo +351 912 345 678',
  'needs + and the country code, {example}': 'precisa de + e do indicativo do país, {example}',
  'is not a number of {country}. Check its digits, or add + and the country code, {example}':
    'não é um número do país {country}. Verifique os algarismos, ou junte + e o indicativo do país, {example}',
  'must be a positive integer': 'tem de ser um número inteiro acima de 0',
  'must be a positive whole number': 'tem de ser um número inteiro acima de 0',
  'must be a whole number from 1 to 999': 'tem de ser um número inteiro de 1 a 999',
  'must be a number above 0 and below 10^18, such as 2500 or 0.5':
    'tem de ser um número acima de 0 e abaixo de 10^18, por exemplo 2500 ou 0.5',
  'must be a decimal amount, such as "45.00"': 'tem de ser um montante, por exemplo 45,00',
  'must be a percentage with at most two decimals, such as "12.5"':
    'tem de ser uma percentagem com duas casas decimais no máximo, por exemplo 12,5',
  'must be a percentage from 0 to 100 with at most two decimals, such as "12.5"':
    'tem de ser uma percentagem de 0 a 100 com duas casas decimais no máximo, por exemplo 12,5',
  'must be an ISO 4217 code, such as EUR': 'tem de ser um código de moeda, por exemplo EUR',
  'must be a currency of ISO 4217': 'tem de ser uma moeda que exista, por exemplo EUR',
  'must be an amount of {currency}, which has {n} decimals':
    'tem de ser um montante em {currency}, que tem {n} casas decimais',
  'must be an amount of {currency}, which has no decimals':
    'tem de ser um montante em {currency}, que não tem casas decimais',
  'must be an amount of {n}': 'tem de ser um montante em {n}',
  'must be above 0': 'tem de ser mais de 0',
  'must be above 0 and at most 100': 'tem de ser mais de 0 e no máximo 100',
  'must be at most {n}': 'não pode ser mais de {n}',
  'is too large': 'é demasiado grande',
  'must be one line of text': 'tem de ser uma só linha de texto',
  'must be one line of at most 255 characters': 'tem de ser uma só linha com 255 caracteres no máximo',
  'must be one line of at most {n} characters, without spaces around it':
    'tem de ser uma só linha com {n} caracteres no máximo, sem espaços à volta',
  'must be 1 to 255 printable ASCII characters': 'tem de ter de 1 a 255 caracteres ASCII visíveis',
  'must be s_ and a lower-case UUID': 'tem de ser s_ e um UUID em minúsculas',
  'must be the cursor of a Link: rel="next" of this list': 'tem de ser a posição de uma página desta lista',
  'must come from an earlier response': 'tem de vir de uma resposta anterior',
  'must not be before {field}': 'não pode ser antes de {field}',
  'must not be before the first day': 'não pode ser antes do primeiro dia',
  'must be within {n} days of {field}': 'não pode ficar a mais de {n} dias de {field}',
  'has to be chosen': 'está por escolher',
  'has to be answered': 'está por responder',
  'has to be answered ({words})': 'está por responder ({words})',
  'Participant {n}': 'Participante {n}',
  'is needed': 'está por preencher',
  'needs at least one': 'precisa de pelo menos uma escolha',
  'is now “{value}”': 'agora é “{value}”',
}

const catalogue: FaultTable = {
  'must be an IANA time zone such as Europe/Lisbon':
    'tem de ser um fuso horário IANA, por exemplo Europe/Lisbon',
  'is the Name of another product, capitals aside': 'é o nome de outro produto, sem contar maiúsculas',
  'is the {field} of another product, capitals aside': 'já existe noutro produto, sem contar maiúsculas',
  'cannot change while units, schedules or timeslots have prices in {currency}: delete those first':
    'não pode mudar enquanto tipos de bilhete, planos ou horários tiverem preços em {currency}: apague-os primeiro',
  'cannot change: clocks there skip the time of the product’s timeslot on {date} at {time}':
    'não pode mudar: os relógios de lá saltam a hora do horário do produto em {date} às {time}',
  'must be booking while {field} is true': 'tem de ser por reserva enquanto {field} estiver escolhido',
  'must be false unless {field} is booking': 'só pode estar escolhido com um preço por reserva',
  'goes only with a price for the whole booking': 'só é possível com um preço para a reserva inteira',
  'must be person for a product with units': 'tem de ser por pessoa num produto com tipos de bilhete',
  'must be each person while it has units': 'tem de ser por pessoa enquanto tiver tipos de bilhete',
  'must be at least {n}, the places that the unit {name} takes':
    'tem de ser pelo menos {n}, os lugares que o tipo de bilhete {name} ocupa',
  'must not be less than {field}, {n}': 'não pode ser menos de {n}, que é {field}',
  'must not be more than {field}, {n}': 'não pode ser mais de {n}, que é {field}',
  'is required while {field} is true': 'está por preencher: é preciso com {field}',
  'is required unless {field} is given': 'está por preencher: só pode faltar com {field}',
  'must be after the previous closing': 'tem de ser depois do fecho anterior',
  'must not be after the first opening of the next day, {time}':
    'não pode ser depois da primeira abertura do dia seguinte, {time}',
  'must be the {field} of the timeslot, {time}': 'tem de ser a hora do horário, {time}',
  'must be true while {field} is given': 'tem de estar escolhido com {field}',
  'must be left out, or be the first opening, {time}, while it is all-day':
    'tem de ficar vazio, ou ser a primeira abertura, {time}, enquanto durar o dia inteiro',
  'must be the first opening, {time}': 'tem de ser a primeira abertura, {time}',
  'say when it opens and closes': 'precisa de dizer quando abre e fecha',
  'is needed; empty the whole line to remove it': 'está por preencher; para remover, esvazie a linha inteira',
  'must differ from that of earlier terms': 'tem de ser diferente do das condições anteriores',
  'must be other than in the lines before': 'tem de ser diferente do das linhas anteriores',
  'must not be higher than the percentage for a longer time before the start':
    'não pode ser mais do que a percentagem para mais tempo antes do início',
  'must be a unit that the product sells, and only once':
    'tem de ser um tipo de bilhete do produto, e só uma vez',
  'must be a unit of the product, and only once; 0 is the default unit':
    'tem de ser um tipo de bilhete do produto, e só uma vez',
  'must be a unit of this product, and only once':
    'tem de ser um tipo de bilhete deste produto, e só uma vez',
  'must be the {field} or the {other} of a unit of this list': 'tem de ser um tipo de bilhete desta lista',
  'must be true of one unit only': 'só pode estar escolhido num tipo de bilhete',
  'must have one unit with {field} true': 'precisa de um tipo de bilhete predefinido',
  'must be empty for a product that is priced per booking':
    'tem de ficar vazio num produto com preço por reserva',
  'must be the product’s, {currency}': 'tem de ser a do produto, {currency}',
  'must be 1 for the default unit': 'tem de ser 1 no tipo de bilhete predefinido',
  'makes a booking of at least {n} places; the product’s {field} is {m}':
    'obriga a uma reserva de pelo menos {n} lugares; o máximo do produto é {m}',
  'must be another unit': 'tem de ser outro tipo de bilhete',
  'is there already': 'já lá está',
  'can never be met: with any of these a booking has more than the product’s {field}, {n}':
    'nunca se pode cumprir: com qualquer destes, uma reserva passa o máximo do produto, {n}',
  'is the {field} of Units[{n}], capitals aside': 'já existe noutro tipo de bilhete, sem contar maiúsculas',
  'is that of another unit, capitals aside': 'já existe noutro tipo de bilhete, sem contar maiúsculas',
  'cannot be removed while it accompanies {names}: change that first':
    'não se pode remover enquanto acompanhar {names}: mude isso primeiro',
  'is the {field} of Translations[{n}]': 'já existe noutra tradução',
  'must be the name of a unit, a question or an option of the product, and only once':
    'tem de ser o nome de um tipo de bilhete, de uma pergunta ou de uma opção do produto, e só uma vez',
  'must be a language of ISO 639-1, for example pt': 'tem de ser um idioma da ISO 639-1, por exemplo pt',
  'is the language of the product itself: change the product':
    'é o idioma do próprio produto: altere o produto',
  'must be in the future': 'tem de ser no futuro',
  'must be another day, or the time another one': 'tem de ser outro dia, ou a hora tem de ser outra',
  'does not exist on {date} in {zone}, whose clocks skip that time':
    'não existe em {date} no fuso {zone}, cujos relógios saltam essa hora',
  'with {words}, are those of the product’s schedule {n}': 'e os mesmos dias já são do plano {n} do produto',
  'From, To and Weekdays': 'os mesmos dias',
  'has “{time}”: write each time as 9:30 or 14:30': 'tem “{time}”: escreva cada hora como 9:30 ou 14:30',
  'cannot be given with {field}': 'não pode ir junto com {field}',
  'is from before the database was restored: list all products again, and then begin with {field}':
    'é de antes da reposição da base de dados: liste de novo todos os produtos',
  'must be a question of this product, and only once': 'tem de ser uma pergunta deste produto, e só uma vez',
  'must have at least 1 item for a select': 'precisa de pelo menos uma opção',
  'or {field} must be given, and only one of them': 'ou {field}: indique um dos dois, e só um',
  'or {field}: fill in one of them': 'ou {field}: preencha um dos dois',
  'must be for one product': 'tem de ser para um só produto',
  'must be earlier: the range has more than {n} timeslots and prices of units':
    'tem de ser antes: o período tem mais de {n} horários e preços',
  'is not a product of this account': 'não é um produto desta conta',
  'is not a partner of this account': 'não é um parceiro desta conta',
}

const sales: FaultTable = {
  // The party
  'is not a unit of this product': 'não é um tipo de bilhete deste produto',
  'names {name} for the second time': 'indica {name} pela segunda vez',
  'must be at least {n} for {name}': 'tem de ser pelo menos {n} para {name}',
  'must be at most {n} for {name}': 'não pode ser mais de {n} para {name}',
  '{name} must be accompanied by {other}': '{name} só com {other}',
  '{name} must be accompanied by {one} or {other}': '{name} só com {one} ou {other}',
  '{name} must be accompanied by {one} or {two} or {other}': '{name} só com {one}, {two} ou {other}',
  'must be {n}, as {field} say': 'tem de ser {n}, como dizem os tipos de bilhete',
  'must be at least {n} people in all': 'tem de ser pelo menos {n} pessoas ao todo',
  'must be at most {n} people in all': 'não pode ser mais de {n} pessoas ao todo',
  'must be at least {n} places in all': 'tem de ser pelo menos {n} lugares ao todo',
  'must be at most {n} places in all': 'não pode ser mais de {n} lugares ao todo',
  'must take at least 1 place': 'tem de ocupar pelo menos 1 lugar',
  'cannot be had: no places are free': 'não é possível: não há lugares livres',
  'must be at most 1 place in all: only 1 place is free':
    'não pode ser mais de 1 lugar ao todo: só há 1 livre',
  'must be at most {n} places in all: only {m} places are free':
    'não pode ser mais de {n} lugares ao todo: só há {m} livres',
  'needs a number in at least one of its fields': 'precisa de um número em pelo menos um dos campos',
  'must be at most {n}, the places that the timeslot has in all':
    'não pode ser mais de {n}, os lugares que o horário tem ao todo',
  'is the party that the booking has': 'é o grupo que a reserva já tem',
  'must say who comes: this timeslot does not sell {missing}, only {others}':
    'tem de dizer quem vem: este horário não vende {missing}, só {others}',
  // The price of a changed booking
  'must be kept: {words}': 'tem de se manter: {words}',
  'this party {words}': 'com este grupo: {words}',
  'the booking was sold in {n}, and this timeslot sells in {m}':
    'a reserva foi vendida em {n}, e este horário vende em {m}',
  'the booking has a whole timeslot to itself, and this one sells single places':
    'a reserva tem um horário inteiro só para si, e este vende lugares avulsos',
  'must be kept for a partner’s booking: the partner has sold it at its price':
    'tem de se manter na reserva de um parceiro: o parceiro vendeu-a ao seu preço',
  'have changed: choose them again': 'mudaram: escolha de novo',
  'has changed: today the booking costs {total} there. Choose again.':
    'mudou: hoje a reserva custa lá {total}. Escolha de novo.',
  'is not that of a product': 'não é o de um produto',
  'this timeslot does not sell {missing}, only {others}': 'este horário não vende {missing}, só {others}',
  // Who leaves, and who is here
  'must be valid tickets of this booking': 'tem de ser bilhetes válidos desta reserva',
  'must be at most {n} of {name}: so many leave': 'não pode ser mais de {n} de {name}: são os que saem',
  'must be at most {n}: so many leave': 'não pode ser mais de {n}: são os que saem',
  'must be {n}: so many leave': 'tem de ser {n}: são os que saem',
  'must be left out: nobody leaves': 'tem de ficar vazio: ninguém sai',
  'must be from 1 to {n}, the people of the party': 'tem de ser de 1 a {n}, as pessoas do grupo',
  'can be given with checked-in alone': 'só é possível com o check-in feito',
  'must not be more than the party has: {n}': 'não pode ser mais do que o grupo tem: {n}',
  'must be the ID of a ticket': 'tem de ser o ID de um bilhete',
  'is not a question of this activity': 'não é uma pergunta desta atividade',
  'must answer the question “{question}”': 'tem de responder à pergunta “{question}”',
  'must answer the question “{question}” for participant {numbers}':
    'tem de responder à pergunta “{question}” pelo participante {numbers}',
  // Sales
  'is not the ActivityID of a product in the shopfront': 'não é a atividade de um produto na montra',
  'is not the ActivityID of a product of this account': 'não é a atividade de um produto desta conta',
  'would be more than {n} in this basket, removed ones included':
    'passaria de {n} nesta venda, contando as removidas',
  'would be priced in {currencies}; a basket has one currency':
    'teria preços em {currencies}; uma venda tem uma só moeda',
  'cannot be given with PaymentReference': 'não pode ir junto com a referência do pagamento',
  'must be at most {amount} {currency} in cash': 'não pode ser mais de {amount} {currency} em numerário',
  'must be at most what is to be paid, {amount} {currency}':
    'não pode ser mais do que falta pagar, {amount} {currency}',
  'is needed: type what the customer pays now': 'está por preencher: escreva o que o cliente paga agora',
  'goes with the button below it; leave it empty to take all':
    'vai com o botão por baixo; deixe vazio para receber tudo',
  'must not be given beside {field}': 'não pode ir junto com {field}',
  'must not be given beside an amount': 'não pode ir junto com um montante',
  'or {field} is required': 'ou {field}: um dos dois está por preencher',
  'or {field} is needed': 'ou {field}: um dos dois está por preencher',
  'or {field} with {other} is required': 'ou {field} com {other}: está por preencher',
  'is required beside {field}': 'está por preencher: vai junto com {field}',
  'cannot go with an amount off: fill in one of them':
    'não pode ir junto com um desconto em dinheiro: preencha um dos dois',
  'or “Percent off” is needed for a reduction': 'ou a percentagem está por preencher, para haver desconto',
  'is needed for a reduction': 'está por preencher, para haver desconto',
  'must be at most the total, {amount} {currency}': 'não pode ser mais do que o total, {amount} {currency}',
  'takes nothing off the total, {amount} {currency}': 'não desconta nada ao total, {amount} {currency}',
  'is not a payment of this basket': 'não é um pagamento desta venda',
  'must be {amount}, which is what is due of it now': 'tem de ser {amount}, que é o que há a devolver agora',
  'must be {amount}, which is what is due of them together now':
    'tem de ser {amount}, que é o que há a devolver agora ao todo',
  'must not be given for payments of several currencies': 'não pode ir com pagamentos em várias moedas',
  'must not be given for a partner’s booking: the partner pays its customer back':
    'não é possível na reserva de um parceiro: é o parceiro que reembolsa o cliente',
  'must be at least {amount}, which the payment provider has paid back already':
    'tem de ser pelo menos {amount}, que o serviço de pagamentos já devolveu',
  'must be at most {amount} {currency}: the booking does not become cheaper':
    'não pode ser mais de {amount} {currency}: a reserva não fica mais barata',
  'must be at most {amount} {currency}, which is what was paid of it':
    'não pode ser mais de {amount} {currency}, que é o que dela foi pago',
  'must be at most {amount} {currency}, by which the booking becomes cheaper':
    'não pode ser mais de {amount} {currency}, que é quanto a reserva fica mais barata',
  'must be at most {amount} {currency}, which is what was paid above the price that stays':
    'não pode ser mais de {amount} {currency}, que é o que foi pago acima do preço que fica',
  'must be at most {amount} {currency}, which is what was paid too much':
    'não pode ser mais de {amount} {currency}, que é o que foi pago a mais',
  'must have either {field} or {other}': 'precisa de {field} ou de {other}, e só de um',
  // Promotions
  'is given as well': 'também está preenchido',
  'is that of another promotion': 'é o de outra promoção',
  'must be 3 to 40 letters A to Z, digits and hyphens':
    'tem de ter de 3 a 40 letras de A a Z, algarismos e hífenes',
  'is not one of your promotions: check its spelling':
    'não é de nenhuma das suas promoções: verifique como está escrito',
  'belongs to a promotion that has ended': 'pertence a uma promoção que terminou',
  'belongs to a promotion that is not on today': 'pertence a uma promoção que hoje não está em vigor',
  'is for other products, days or currencies than those of this sale':
    'é para outros produtos, dias ou moedas do que os desta venda',
  'needs the customer’s e-mail address: type it below':
    'precisa do endereço de e-mail do cliente: escreva-o abaixo',
  'has been used by this customer as often as one customer may':
    'já foi usado por este cliente tantas vezes quantas um cliente pode',
  'is used up': 'já se esgotou',
  // Closures and the waitlist
  'is no timeslot of this account': 'não é um horário desta conta',
  'or {field}, or {other} with {last}, must be given, and only one of them':
    'ou {field}, ou {other} com {last}: indique uma destas coisas, e só uma',
  'must be closer to the start: there are more than {n} timeslots':
    'tem de ficar mais perto do início: há mais de {n} horários',
  'is required with {field}': 'está por preencher: vai junto com {field}',
  'is required when bookings are moved': 'está por preencher: é preciso para mover reservas',
  'must not be given with {field}': 'não pode ir junto com {field}',
  'must not be given with the action cancel': 'não é possível ao cancelar reservas',
  'must not be given with the action move': 'não é possível ao mover reservas',
  'must be a day with at most {n} closed timeslots':
    'tem de ser um dia com {n} horários encerrados no máximo',
}

const settings: FaultTable = {
  'is none of the countries in the list': 'não é nenhum dos países da lista',
  'is not your password': 'não é a sua palavra-passe',
  'line {n} {words}': 'na linha {n}: {words}',
  'must be a picture in PNG, JPEG or WebP': 'tem de ser uma imagem PNG, JPEG ou WebP',
  'must be a picture of at most 256 kB in Base64': 'tem de ser uma imagem com 256 kB no máximo, em Base64',
  'must be a colour of the form #0a5bb0, in lower case': 'tem de ser uma cor da forma #0a5bb0, em minúsculas',
  'must have the placeholder {BasketID}, which tells payments apart':
    'precisa da marca {BasketID}, que distingue os pagamentos',
  'must be a whole https address, without a user name or spaces':
    'tem de ser um endereço https completo, sem nome de utilizador nem espaços',
  'must have its placeholders behind the name of the server': 'só pode ter marcas depois do nome do servidor',
  'must be one of your products': 'tem de ser um dos seus produtos',
  // Webhooks
  'is not a type of event': 'não é um tipo de evento',
  'is not a type of event that partners get': 'não é um tipo de evento que os parceiros recebam',
  'cannot be changed: the endpoint was made through OCTO': 'não pode mudar: o endpoint foi criado por OCTO',
  'or {field} is needed, and not both': 'ou {field}: preencha um dos dois, e só um',
  'or {field} must be given, and not both': 'ou {field}: indique um dos dois, e só um',
  'and {field} do not go together': 'e {field} não podem ir juntos',
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
  'cannot be rendered: {reason}': 'não se pode escrever: {reason}',
  'cannot be read: {reason}': 'não se pode ler: {reason}',
  'It cannot be read: {reason}': 'Não se pode ler: {reason}',
  'names {{ {name} }}, which there is not: see what it can name':
    'usa {{ {name} }}, que não existe: veja o que se pode usar',
  'has a filter “{name}”, which there is not': 'tem um filtro “{name}”, que não existe',
  'has a {{ without its }}': 'tem um {{ sem o seu }}',
  'has {% {name} %}, which there is not': 'tem {% {name} %}, que não existe',
  'has {% {name} … %} without its end': 'tem {% {name} … %} sem o seu fim',
  'has a {{ }} that names nothing': 'tem um {{ }} vazio',
  'It {words}': 'O texto {words}',
  '{words} (line {n})': '{words} (linha {n})',
  // Usage and reports
  'must be at most {n} days after {field}: sums by day, and files, cover at most {m} days':
    'não pode ficar a mais de {n} dias de {field}: somas por dia e ficheiros têm {m} dias no máximo',
  'must be closer to {field}: {words}': 'tem de ficar mais perto de {field}: {words}',
  'must name fewer meters: {words}': 'tem de indicar menos contadores: {words}',
  'a response has at most {n} sums by day, one for each meter and day with entries':
    'uma página tem no máximo {n} somas por dia, uma por cada contador e dia com registos',
  'must be less than ten years after {field}, and at most {n} periods':
    'tem de ficar a menos de dez anos de {field}, e a {n} períodos no máximo',
  // Users, keys and secrets: what follows “Nothing was changed:”
  'users belong to the live account, and see its test account too: name the live account':
    'os utilizadores pertencem à conta real, e veem também a de teste: indique a conta real',
  'the user {email} already exists': 'o utilizador {email} já existe',
  'there is no user {email}': 'não há o utilizador {email}',
  '{email} is the last owner who can sign in: create another owner first':
    '{email} é o último proprietário que pode iniciar sessão: crie primeiro outro proprietário',
  'key {n} is expired: create a new one': 'a chave {n} expirou: crie uma nova',
  'key {n} is revoked: create a new one': 'a chave {n} foi revogada: crie uma nova',
  'key {n} was already rotated: key {m} replaces it': 'a chave {n} já foi renovada: a chave {m} substitui-a',
  'two secrets are live already: revoke one first': 'já há dois segredos ativos: revogue um primeiro',
}

/** What a problem says in a whole sentence. */
const problems: FaultTable = {
  'Please correct this and send it again:': 'Corrija o seguinte e envie de novo:',
  'It is not there, or not any more.': 'Não existe, ou já não existe.',
  'Another user saved changes after you opened this page. Your changes are not saved yet. If you save again, they replace the other changes.':
    'Outro utilizador guardou alterações depois de abrir esta página. As suas ainda não estão guardadas. Se guardar de novo, substituem as outras.',
  'This form was sent before with other values. Please check the values and send it again.':
    'Este formulário já foi enviado com outros valores. Verifique os valores e envie de novo.',
  'This form has expired. Please open the page again.': 'Este formulário expirou. Abra a página de novo.',
  'The form cannot be read.': 'Não se consegue ler o formulário.',
  'You are signed out. Please sign in again.': 'A sessão terminou. Inicie sessão de novo.',
  'Only owners of the account may do this, and you are signed in as {words}. Ask an owner to do it, or to make you one.':
    'Só proprietários da conta podem fazer isto, e a sua função é {words}. Peça a um proprietário que o faça, ou que lhe dê essa função.',
  owner: 'proprietário',
  staff: 'equipa',
  'Test mode uses the live catalogue, which can be changed only in live mode. Nothing was changed.':
    'O modo de teste usa o catálogo real, que só se pode mudar no modo real. Nada foi alterado.',
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
  'The queue is out of reach.': 'A fila não está acessível.',
  'Jobs carry what belongs to several accounts, so only owners of the account that QUEUES_ACCOUNT names may look into the queues.':
    'As tarefas levam dados de várias contas, por isso só proprietários da conta indicada em QUEUES_ACCOUNT podem ver as filas.',
  'Here a job can only be tried again. To remove, add or change one could lose what was accepted, or forge it.':
    'Aqui só se pode repetir uma tarefa. Remover, juntar ou mudar uma podia perder o que foi aceite, ou falsificá-lo.',
  'Secrets cannot be kept here: SECRET_KEY is not set.':
    'Aqui não se podem guardar segredos: falta SECRET_KEY.',
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
    'O horário tem lugares para este grupo: reserve antes.',
  '{n} places are booked and {m} are held.': '{n} lugares estão reservados e {m} estão retidos.',
  'The product has a timeslot at this date and time.': 'O produto já tem um horário nessa data e hora.',
  'It has begun.': 'Já começou.',
  'Somebody has booked it. A closure moves the bookings to another timeslot.':
    'Alguém reservou. Um encerramento move as reservas para outro horário.',
  'Places of it are held. A closure moves them to another timeslot.':
    'Há lugares retidos. Um encerramento move-os para outro horário.',
  'Somebody waits for places of it. A closure tells them.':
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
  'A reseller holds the places of this basket.': 'Um revendedor tem os lugares desta venda.',
  'The basket has no line to pay for.': 'A venda não tem nada por pagar.',
  'The places are already held for the longest time that the account allows.':
    'Os lugares já estão retidos pelo tempo máximo que a conta permite.',
  'The booking could be cancelled until {date}.': 'A reserva podia ser cancelada até {date}.',
  'The booking would cost {amount} {currency}.': 'A reserva custaria {amount} {currency}.',
  'The booking has no e-mail address.': 'A reserva não tem endereço de e-mail.',
  'More tickets have been redeemed than the booking would have.':
    'Já foram usados mais bilhetes do que a reserva teria.',
  'The ticket was redeemed at {date}.': 'O bilhete foi usado em {date}.',
  'The ticket was redeemed before: {date}.': 'O bilhete já foi usado: {date}.',
  'The ticket has been void since {date}.': 'O bilhete está anulado desde {date}.',
  'The ticket is void since {date}.': 'O bilhete está anulado desde {date}.',
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
  'It has not been paid back.': 'Não foi devolvido.',
  'It is not marked as paid back.': 'Não está marcado como devolvido.',
  'The payment provider has confirmed this refund, so the mark stays.':
    'O serviço de pagamentos confirmou este reembolso, por isso a marca fica.',
  'Another user marked this refund. Ask that user, or an owner, to undo it.':
    'Outro utilizador marcou este reembolso. Peça a esse utilizador, ou a um proprietário, que o desfaça.',
  'A till is already open in {currency}: close it before you open another.':
    'Já há uma caixa aberta em {currency}: feche-a antes de abrir outra.',
  'The till was closed at {date}.': 'A caixa foi fechada em {date}.',
  'The till was closed before: {date}.': 'A caixa já foi fechada: {date}.',
  'The till has {inTill} in cash; this refund takes {refund}.':
    'A caixa tem {inTill} em numerário; este reembolso leva {refund}.',
  // Promotions
  'The account has a promotion with the code {code}.': 'A conta já tem uma promoção com o código {code}.',
  'There is no promotion with this code.': 'Não há nenhuma promoção com este código.',
  'The promotion has ended.': 'A promoção terminou.',
  'The promotion is not on today.': 'A promoção hoje não está em vigor.',
  'The promotion is for other products, days or currencies than those in the basket.':
    'A promoção é para outros produtos, dias ou moedas do que os da venda.',
  'The promotion needs the customer’s e-mail address.':
    'A promoção precisa do endereço de e-mail do cliente.',
  'The customer has used the promotion as often as one may.':
    'O cliente já usou a promoção as vezes que podia.',
  'The promotion is used up.': 'A promoção esgotou-se.',
  // E-mails, webhooks and limits
  'The account has a workflow named {name}.': 'A conta já tem uma mensagem automática com o nome {name}.',
  'The account may have at most {n} {words}.': 'A conta pode ter no máximo {n} {words}.',
  'calendar links of each user': 'calendários de cada utilizador',
  thresholds: 'limiares',
  workflows: 'mensagens automáticas',
  'webhook endpoints': 'endpoints de webhook',
  products: 'produtos',
  schedules: 'planos de horários',
  'An account may send {n} e-mails of messages in 24 hours, and this message would exceed that.':
    'Uma conta pode enviar {n} e-mails de mensagens em 24 horas, e esta mensagem passaria desse número.',
  'The account has sent {n} test e-mails today, which is the limit. The next can be sent after midnight UTC.':
    'A conta enviou hoje {n} e-mails de teste, que é o limite. O próximo pode seguir depois da meia-noite UTC.',
  'The templates of this account took too long to render; please wait {n} seconds.':
    'Os modelos desta conta demoraram demasiado a escrever; aguarde {n} segundos.',
  'The e-mail is queued, not failed.': 'O e-mail está na fila, e não falhou.',
  'The e-mail is sent, not failed.': 'O e-mail foi enviado, e não falhou.',
  'The e-mail is dropped, not failed.': 'O e-mail foi posto de lado, e não falhou.',
  'The endpoint already has two secrets.': 'O endpoint já tem dois segredos.',
  'The endpoint has no other secret.': 'O endpoint não tem outro segredo.',
  'The endpoint is paused: resume it first.': 'O endpoint está em pausa: retome-o primeiro.',
  'The meter has this threshold for this period.': 'O contador já tem este limiar para este período.',
  'The entry was accepted, but could not be stored, so no total counts it. It can be voided after the operator has resolved this.':
    'O registo foi aceite, mas não se conseguiu guardar, por isso nenhum total o conta. Pode ser anulado depois de isto se resolver.',
  'The entry may not be stored yet; please try again.':
    'O registo pode ainda não estar guardado; tente de novo.',
}

/** The titles of problems. */
const titles: FaultTable = {
  'Malformed request': 'Pedido mal formado',
  'Invalid ActivityID': 'Atividade inválida',
  'Give either ID or Name': 'Indique o ID ou o nome',
  Unauthenticated: 'Sessão terminada',
  'Invalid signature': 'Assinatura inválida',
  Forbidden: 'Sem permissão',
  'Not found': 'Não encontrado',
  'Product not found': 'Produto não encontrado',
  'Activity not found': 'Atividade não encontrada',
  'Method not allowed': 'Método não permitido',
  'Capacity is below the booked places': 'A capacidade é menor do que os lugares reservados',
  'Timeslot exists': 'O horário já existe',
  'Timeslot cannot be moved': 'O horário não se pode mover',
  'The catalogue is that of live mode': 'O catálogo é o do modo real',
  'Edited meanwhile': 'Alterado entretanto',
  'Workflow name taken': 'Nome de mensagem automática já usado',
  'Threshold exists': 'O limiar já existe',
  'Account limit reached': 'Limite da conta atingido',
  'Two secrets already': 'Já há dois segredos',
  'Last secret': 'Último segredo',
  'Webhook endpoint paused': 'Endpoint de webhook em pausa',
  'E-mail has not failed': 'O e-mail não falhou',
  'Idempotency key in use': 'Pedido ainda em curso',
  'Payload too large': 'Demasiado grande',
  'Unsupported media type': 'Formato não aceite',
  'Validation failed': 'Dados por corrigir',
  'Idempotency key reused': 'Formulário já enviado',
  'Payment event reused': 'Evento de pagamento repetido',
  'Too many requests': 'Demasiados pedidos',
  'Internal server error': 'Erro interno',
  'Service unavailable': 'Serviço indisponível',
  'Insufficient capacity': 'Lugares insuficientes',
  'Timeslot unavailable': 'Horário indisponível',
  'Places available': 'Há lugares livres',
  'Offer over': 'A oferta terminou',
  'Basket not open': 'A venda não está aberta',
  'Reservation uuid reused': 'Identificador de reserva repetido',
  'Reservation over': 'A reserva terminou',
  'Held by a reseller': 'Retido por um revendedor',
  'Basket empty': 'Venda vazia',
  'No receipt': 'Sem recibo',
  'Till open': 'Caixa aberta',
  'Till closed': 'Caixa fechada',
  'Till short of cash': 'Falta numerário na caixa',
  'Promotion not applicable': 'A promoção não se aplica',
  'Promotion code taken': 'Código de promoção já usado',
  'Hold limit reached': 'Tempo máximo atingido',
  'Nothing to pay': 'Nada por pagar',
  'No refund due': 'Sem reembolso por fazer',
  'Refund not due': 'Reembolso que não está por fazer',
  'Refund not paid back': 'Reembolso que não está feito',
  'Refund confirmed': 'Reembolso confirmado',
  'Nothing overpaid': 'Nada pago a mais',
  'Booking not changeable': 'A reserva não se pode alterar',
  'Total differs': 'O total é outro',
  'Too late to cancel': 'Tarde demais para cancelar',
  'Ticket already redeemed': 'Bilhete já usado',
  'Ticket is void': 'Bilhete anulado',
  'Quantity is below the redeemed tickets': 'A quantidade é menor do que os bilhetes usados',
  'No e-mail address': 'Sem endereço de e-mail',
  'Customer is erased': 'Cliente apagado',
  'Customer is expected': 'O cliente ainda tem reservas',
}

export const faults: FaultTable = { ...values, ...catalogue, ...sales, ...settings, ...problems, ...titles }

/** The names of fields that have no label on a page. */
export const fields: FaultTable = {
  Customer: 'Cliente',
  Price: 'Preço',
  Attendance: 'Presença',
  Date: 'Data',
  Time: 'Hora',
  Code: 'Código',
  Timeslot: 'Horário',
  Timeslots: 'Horários',
  Activity: 'Atividade',
  Override: 'Apesar do prazo',
  Reason: 'Motivo',
  Reduction: 'Desconto',
  Amount: 'Valor',
  Method: 'Forma de pagamento',
  Reference: 'Referência',
  Done: 'Feito',
  Step: 'Passo',
  Action: 'Ação',
  Country: 'País',
  Locale: 'Idioma',
  'In shopfront': 'Na montra',
  Do: 'Ação',
  Default: 'Predefinido',
  Active: 'Ativa',
  Live: 'Ativa',
  'E-mail address': 'Endereço de e-mail',
  'Phone number': 'Número de telefone',
  Role: 'Função',
  Scopes: 'Permissões',
  Partner: 'Parceiro',
  Current: 'Palavra-passe atual',
  New: 'Palavra-passe nova',
  Password: 'Palavra-passe',
  Payment: 'Pagamento',
  Payments: 'Pagamentos',
  'To pay': 'Por pagar',
  Product: 'Produto',
  Products: 'Produtos',
  Status: 'Estado',
  From: 'De',
  To: 'Até',
  'Made from': 'Feita desde',
  'Made to': 'Feita até',
  Cursor: 'Página',
  Limit: 'Número por página',
  Units: 'Quem vem',
  Participants: 'Pessoas',
  Unit: 'Tipo de bilhete',
  Quantity: 'Quantidade',
  Name: 'Nome',
  'First name': 'Nome próprio',
  'Last name': 'Apelido',
  Notes: 'Notas',
  Note: 'Nota',
  Message: 'Mensagem',
  Subject: 'Assunto',
  Body: 'Texto',
  Language: 'Idioma',
  Currency: 'Moeda',
  Capacity: 'Total de lugares',
  Answers: 'Respostas',
  Question: 'Pergunta',
  Text: 'Texto',
  Texts: 'Textos',
  Weekdays: 'Dias da semana',
  Times: 'Horas',
  Percent: 'Percentagem',
  Refund: 'Reembolso',
  Choice: 'Escolha',
  Channel: 'Canal',
  'People here': 'Pessoas presentes',
  Leaving: 'Quem sai',
  Ticket: 'Bilhete',
  Tickets: 'Bilhetes',
  'Booking reference': 'Referência da reserva',
  Basket: 'Venda',
  Meter: 'Contador',
  Period: 'Período',
  Year: 'Ano',
  Month: 'Mês',
  Query: 'Pesquisa',
  Search: 'Pesquisa',
  Image: 'Imagem',
  File: 'Ficheiro',
  Version: 'Versão',
  'Tell customer': 'Avisar o cliente',
  Show: 'Mostrar',
  Float: 'Fundo de caixa',
  Counted: 'Dinheiro contado',
  Day: 'Dia',
  Url: 'Endereço',
  Type: 'Tipo',
  'Event types': 'Eventos',
  'Sale from': 'À venda desde',
  'Sale to': 'À venda até',
  'Travel from': 'Para atividades desde',
  'Travel to': 'Para atividades até',
}
