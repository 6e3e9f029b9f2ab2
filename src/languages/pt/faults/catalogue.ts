/** Faults of the catalogue, in Portuguese: products, units, schedules, timeslots, promotions. */
export const catalogue: Readonly<Record<string, string>> = {
  'must be an IANA time zone such as Europe/Lisbon':
    'tem de ser um fuso horário IANA, por exemplo Europe/Lisbon',
  'is already the {field} of another product (upper and lower case count as the same)':
    'já existe noutro produto (maiúsculas e minúsculas contam como iguais)',
  'cannot change while units, schedules or timeslots have prices in {currency}: delete those first':
    'não pode mudar enquanto tipos de bilhete, planos ou horários tiverem preços em {currency}: apague-os primeiro',
  'cannot change while schedules or timeslots have prices of their own: delete those first':
    'não pode mudar enquanto planos ou horários tiverem preços próprios: apague-os primeiro',
  'cannot change while partners have net prices in {currency}: remove those of {names} first':
    'não pode mudar enquanto parceiros tiverem preços líquidos em {currency}: remova primeiro os de {names}',
  'cannot change while partners have net prices: remove those of {names} first':
    'não pode mudar enquanto parceiros tiverem preços líquidos: remova primeiro os de {names}',
  'cannot change: clocks there skip the time of the product’s timeslot on {date} at {time}':
    'não pode mudar: os relógios de lá saltam a hora do horário do produto em {date} às {time}',
  'must be booking while {field} is true': 'tem de ser por reserva enquanto {field} estiver escolhido',
  'must be false unless {field} is booking': 'só pode estar escolhido com um preço por reserva',
  'is possible only with a price for the whole booking': 'só é possível com um preço para a reserva inteira',
  'must be person for a product with units': 'tem de ser por pessoa num produto com tipos de bilhete',
  'must be “each person” while the product has units':
    'tem de ser por pessoa enquanto tiver tipos de bilhete',
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
  'must be left out, or be only the first opening, {time}, while {field} is given':
    'tem de ficar vazio, ou ser só a primeira abertura, {time}, enquanto durar o dia inteiro',
  'must be the first opening, {time}': 'tem de ser a primeira abertura, {time}',
  'is required; to remove the line, clear all its fields':
    'está por preencher; para remover a linha, apague todos os seus campos',
  'must differ from that of earlier terms': 'tem de ser diferente do das condições anteriores',
  'must differ from the lines above': 'tem de ser diferente do das linhas anteriores',
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
  'cannot be met: a booking with this unit and any of these units takes more places than the product’s {field}, {n}':
    'nunca se pode cumprir: com qualquer destes, uma reserva passa o máximo do produto, {n}',
  'cannot be cleared here: make another unit the default unit':
    'não se pode desmarcar aqui: torne predefinido outro tipo de bilhete',
  'is already used by another unit (upper and lower case count as the same)':
    'já existe noutro tipo de bilhete (maiúsculas e minúsculas contam como iguais)',
  'is already the {field} of Units[{n}] (upper and lower case count as the same)':
    'já existe noutro tipo de bilhete (maiúsculas e minúsculas contam como iguais)',
  'cannot be removed while it accompanies {names}: change that first':
    'não se pode remover enquanto acompanhar {names}: mude isso primeiro',
  'is the {field} of Translations[{n}]': 'já existe noutra tradução',
  'must be the name of a unit, a question or an option of the product, and only once':
    'tem de ser o nome de um tipo de bilhete, de uma pergunta ou de uma opção do produto, e só uma vez',
  'must be a language of ISO 639-1, for example pt': 'tem de ser um idioma da ISO 639-1, por exemplo pt',
  'is the language of the product itself: change the product':
    'é o idioma do próprio produto: altere o produto',
  'must be in the future': 'tem de ser no futuro',
  'must be another day, unless the time changes': 'tem de ser outro dia, ou a hora tem de ser outra',
  'does not exist on {date} in {zone}, whose clocks skip that time':
    'não existe em {date} no fuso {zone}, cujos relógios saltam essa hora',
  'must differ from those of schedule {n}, which has the same {words}':
    'tem de ser diferente do plano {n}, que tem os mesmos dias',
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
