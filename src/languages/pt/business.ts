/** Texts of the dashboard in Portuguese: the business details and how customers pay. */
import type { business as english } from '../en/business.ts'

export const business: Readonly<Record<keyof typeof english, string>> = {
  'business.title': 'Dados da empresa',
  'business.LegalName': 'Denominação social',
  'business.AddressLines': 'Morada',
  'business.TaxNumber': 'NIF',
  'business.Phone': 'Telefone',
  'business.Email': 'E-mail',
  'business.Locale': 'Idioma dos e-mails aos clientes',
  'business.Colour': 'Cor',
  'business.Image': 'Imagem',
  'business.about':
    'Os recibos têm estes dados no topo. As páginas dos clientes e os e-mails têm-nos no fim.',
  'business.test': 'Estes são os dados do modo de teste.',
  'business.name.hint': 'Só se for diferente de {account}.',
  'business.address.hint': 'Como numa carta, no máximo {count} linhas.',
  'business.tax.hint': 'Como deve estar nos recibos, por exemplo PT 501 234 567.',
  'business.phone.hint': 'Para onde os clientes telefonam, por exemplo +351 282 555 010.',
  'business.email.hint': 'Para onde os clientes escrevem.',
  'business.locale.hint':
    'Os e-mails são escritos no idioma que escolher, com as datas, os números e os valores no formato do país. As mensagens automáticas que vieram com a conta mudam também de idioma; as que alterou mantêm o texto. As páginas dos clientes estão no idioma do navegador de quem lê, se for um destes.',
  'business.colour.hint':
    'Dos botões e ligações que os clientes veem, por exemplo #0a5bb0. Deixe vazio para o azul predefinido.',
  'business.locale.default': '{language} (predefinido)',
  'business.logo': 'Logótipo',
  'business.logo.about':
    'As páginas dos clientes, os bilhetes, os recibos e os e-mails mostram-no; sem logótipo mostram o nome.',
  'business.logo.remove': 'Remover o logótipo',
  'business.logo.of': 'O logótipo de {account}',
  'business.logo.hint': 'PNG, JPEG ou WebP, no máximo {count} kB. Cerca de 400 píxeis de largura bastam.',
  'business.logo.upload': 'Carregar',
  'business.line': 'linha {number} {fault}',
  'business.too-many-lines': 'deve ter no máximo {count} linhas',
  'pay-settings.title': 'Como os clientes pagam',
  'pay-settings.page': 'Página de pagamento',
  'pay-settings.contact': 'Contacto',
  'pay-settings.page.hint':
    'Onde o seu prestador de pagamentos recebe o dinheiro, por exemplo {example}. {placeholder} é obrigatório: o prestador tem de o devolver quando comunica o pagamento.',
  'pay-settings.contact.hint': 'O telefone ou e-mail mostrado aos clientes que não podem pagar lá.',
  'pay-settings.about':
    'Um cliente que aceita uma oferta da lista de espera tem um botão que leva à sua página de pagamento. Os lugares ficam reservados quando o seu prestador comunica o pagamento. Sem página de pagamento, o cliente lê que deve pagar ao balcão, e vê o contacto.',
  'pay-settings.test': 'Estas são as definições do modo de teste, para uma página que não cobra dinheiro.',
}
