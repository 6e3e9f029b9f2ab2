/** Faults of sales, in Portuguese: bookings, parties, payments, refunds, tickets. */
export const sales: Readonly<Record<string, string>> = {
  // The party
  'is not a unit of this product': 'não é um tipo de bilhete deste produto',
  'names {name} for the second time': 'indica {name} pela segunda vez',
  'must be at least {n} for {name}': 'tem de ser pelo menos {n} para {name}',
  'must be at most {n} for {name}': 'não pode ser mais de {n} para {name}',
  '{name} must be accompanied by {other}': '{name} só com {other}',
  '{name} must be accompanied by {one} or {other}': '{name} só com {one} ou {other}',
  '{name} must be accompanied by {one} or {two} or {other}': '{name} só com {one}, {two} ou {other}',
  'must be {n}, the number of people in {field}': 'tem de ser {n}, o número de pessoas nos tipos de bilhete',
  'must be at least {n} people in all': 'tem de ser pelo menos {n} pessoas ao todo',
  'must be at most {n} people in all': 'não pode ser mais de {n} pessoas ao todo',
  'must be at least 1 person in all': 'tem de ser pelo menos 1 pessoa ao todo',
  'must be at most 1 person in all': 'não pode ser mais de 1 pessoa ao todo',
  'must be at least {n} places in all': 'tem de ser pelo menos {n} lugares ao todo',
  'must be at most {n} places in all': 'não pode ser mais de {n} lugares ao todo',
  'must be at least 1 place in all': 'tem de ser pelo menos 1 lugar ao todo',
  'must be at most 1 place in all': 'não pode ser mais de 1 lugar ao todo',
  'must take at least 1 place': 'tem de ocupar pelo menos 1 lugar',
  'cannot be booked: no places are free': 'não é possível: não há lugares livres',
  'only 1 place is free': 'só há 1 lugar livre',
  'only {m} places are free': 'só há {m} lugares livres',
  'must be at most 1 place in all, because only 1 place is free':
    'não pode ser mais de 1 lugar ao todo: só há 1 livre',
  'must be at most {n} places in all, because only {m} places are free':
    'não pode ser mais de {n} lugares ao todo: só há {m} livres',
  'needs a number in at least one of its fields': 'precisa de um número em pelo menos um dos campos',
  'must be at most {n}, the places that the timeslot has in all':
    'não pode ser mais de {n}, os lugares que o horário tem ao todo',
  'is the same as before: choose another party': 'é o grupo que a reserva já tem',
  'must be given: this timeslot does not sell {missing}, only {others}':
    'está por preencher: este horário não vende {missing}, só {others}',
  // The price of a changed booking
  'must be kept: {words}': 'tem de se manter: {words}',
  'this party {words}': 'com este grupo: {words}',
  'the booking was sold in {n}, and this timeslot sells in {m}':
    'a reserva foi vendida em {n}, e este horário vende em {m}',
  'the booking has a whole timeslot to itself, and this one sells single places':
    'a reserva tem um horário inteiro só para si, e este vende lugares avulsos',
  'must be kept for a partner’s booking: the partner sold it at this price':
    'tem de se manter na reserva de um parceiro: o parceiro vendeu-a a este preço',
  'names units that have changed: choose again': 'tem unidades que mudaram: escolha de novo',
  'has changed: today the booking costs {total} there. Choose again.':
    'mudou: hoje a reserva custa lá {total}. Escolha de novo.',
  'this timeslot does not sell {missing}, only {others}': 'este horário não vende {missing}, só {others}',
  // Who leaves, and who is here
  'must be valid tickets of this booking': 'tem de ser bilhetes válidos desta reserva',
  'must name at most {n} of {name}: the change removes no more':
    'não pode indicar mais de {n} de {name}: não saem mais',
  'must name at most {n}: no more people leave': 'não pode indicar mais de {n}: não saem mais pessoas',
  'must name {n} of the participants, one for each person who leaves':
    'tem de indicar {n} dos participantes, um por cada pessoa que sai',
  'must be left out: nobody leaves': 'tem de ficar vazio: ninguém sai',
  'must be from 1 to {n}, the people of the party': 'tem de ser de 1 a {n}, as pessoas do grupo',
  'can only be given with checked-in': 'só é possível com o check-in feito',
  'must not be more than the party has: {n}': 'não pode ser mais do que o grupo tem: {n}',
  'must be the ID of a ticket': 'tem de ser o ID de um bilhete',
  'is not a question of this activity': 'não é uma pergunta desta atividade',
  'must answer the question “{question}”': 'tem de responder à pergunta “{question}”',
  'must answer the question “{question}” for participant {numbers}':
    'tem de responder à pergunta “{question}” pelo participante {numbers}',
  // Sales
  'is not the ActivityID of a product in the shopfront': 'não é a atividade de um produto na montra',
  'is not the ActivityID of a product of this account': 'não é a atividade de um produto desta conta',
  'would make more than {n} lines in this basket, including removed lines':
    'passaria de {n} nesta venda, contando as removidas',
  'would be priced in {currencies}; a basket has one currency':
    'teria preços em {currencies}; uma venda tem uma só moeda',
  'cannot be given with PaymentReference': 'não pode ir junto com a referência do pagamento',
  'must be at most {amount} {currency} in cash': 'não pode ser mais de {amount} {currency} em dinheiro',
  'must be at most the balance, {amount} {currency}':
    'não pode ser mais do que falta pagar, {amount} {currency}',
  'is needed: type what the customer pays now': 'está por preencher: escreva o que o cliente paga agora',
  'is for a part payment: press the button below it, or leave it empty to take the full amount':
    'é para um pagamento parcial: use o botão por baixo, ou deixe vazio para receber o valor total',
  'must not be given with an amount': 'não pode ir junto com um montante',
  'or {field} is needed': 'ou {field}: um dos dois está por preencher',
  'or {field} with {other} is required': 'ou {field} com {other}: está por preencher',
  'is filled in, but another refund is selected: select “Part”, or clear the percentage':
    'está preenchido, mas está escolhido outro reembolso: escolha “Parte”, ou apague a percentagem',
  'is filled in, but another refund is selected: select “Part”, or clear the amount':
    'está preenchido, mas está escolhido outro reembolso: escolha “Parte”, ou apague o valor',
  'cannot go with an amount off: fill in one of them':
    'não pode ir junto com um desconto em dinheiro: preencha um dos dois',
  'or “Percent off” is needed for a reduction': 'ou a percentagem está por preencher, para haver desconto',
  'is needed for a reduction': 'está por preencher, para haver desconto',
  'must be at most {amount} {currency}, the amount that is due':
    'não pode ser mais de {amount} {currency}, que é o que está por devolver',
  'must be at most the total, {amount} {currency}': 'não pode ser mais do que o total, {amount} {currency}',
  'takes nothing off the total, {amount} {currency}': 'não desconta nada ao total, {amount} {currency}',
  'is not a payment of this basket': 'não é um pagamento desta venda',
  'must be {amount}, the amount that is due now': 'tem de ser {amount}, o valor a devolver agora',
  'must all be in one currency': 'têm de ser todos na mesma moeda',
  'must not be given: one of these payments has an amount that is not valid in its currency':
    'não pode ir: um destes pagamentos tem um valor que não é válido na sua moeda',
  'must not be given for payments of several currencies': 'não pode ir com pagamentos em várias moedas',
  'must not be given for a partner’s booking: the partner pays its customer back':
    'não é possível na reserva de um parceiro: é o parceiro que reembolsa o cliente',
  'must be at least {amount}, which the payment provider has paid back already':
    'tem de ser pelo menos {amount}, que o prestador de pagamentos já devolveu',
  'must be at most {amount} {currency}: the booking does not become cheaper':
    'não pode ser mais de {amount} {currency}: a reserva não fica mais barata',
  'must be at most {amount} {currency}, the amount that was paid for it':
    'não pode ser mais de {amount} {currency}, que é o que dela foi pago',
  'must be at most {amount} {currency}, by which the booking becomes cheaper':
    'não pode ser mais de {amount} {currency}, que é quanto a reserva fica mais barata',
  'must be at most {amount} {currency}, the amount that was paid above the remaining price':
    'não pode ser mais de {amount} {currency}, que é o que foi pago acima do preço que fica',
  'must be at most {amount} {currency}, the overpaid amount':
    'não pode ser mais de {amount} {currency}, que é o que foi pago a mais',
  'must have either {field} or {other}': 'precisa de {field} ou de {other}, e só de um',
  // Promotions
  'must not name a field that is also set': 'não pode indicar um campo que também está preenchido',
  'is already used by another promotion': 'já é usado por outra promoção',
  'must be 3 to 40 letters A to Z, digits and hyphens':
    'tem de ter de 3 a 40 letras de A a Z, algarismos e hífenes',
  'is not one of your promotions: check its spelling':
    'não é de nenhuma das suas promoções: verifique como está escrito',
  'belongs to a promotion that has ended': 'pertence a uma promoção que terminou',
  'belongs to a promotion that is not valid today': 'pertence a uma promoção que hoje não está em vigor',
  'is for other products, days or currencies than those of this sale':
    'é para outros produtos, dias ou moedas do que os desta venda',
  'needs the customer’s e-mail address: type it below':
    'precisa do endereço de e-mail do cliente: escreva-o abaixo',
  'was used by this customer as often as the promotion allows':
    'já foi usado por este cliente tantas vezes quantas um cliente pode',
  'is used up': 'já se esgotou',
  // Closures and the waitlist
  'is not a timeslot of this account': 'não é um horário desta conta',
  'or a phone number must be given': 'ou um número de telefone: indique pelo menos um dos dois',
  'or {field}, or {other} with {last}, must be given, and only one of them':
    'ou {field}, ou {other} com {last}: indique uma destas coisas, e só uma',
  'must be earlier: the range has more than {n} timeslots':
    'tem de ser antes: o período tem mais de {n} horários',
  'has more than {n} timeslots: close the timeslots of some products at a time':
    'tem mais de {n} horários: encerre os horários de alguns produtos de cada vez',
  'is required with {field}': 'está por preencher: vai junto com {field}',
  'is required when bookings are moved': 'está por preencher: é preciso para mover reservas',
  'must not be given with {field}': 'não pode ir junto com {field}',
  'must not be given with the action cancel': 'não é possível ao cancelar reservas',
  'must not be given with the action move': 'não é possível ao mover reservas',
  'must be a day with at most {n} closed timeslots':
    'tem de ser um dia com {n} horários encerrados no máximo',
}
