/** Texts of the dashboard in English: the business details and how customers pay. */
export const business = {
  'business.title': 'Business details',
  'business.LegalName': 'Legal name',
  'business.AddressLines': 'Address',
  'business.TaxNumber': 'Tax number',
  'business.Phone': 'Phone',
  'business.Email': 'E-mail address',
  'business.Locale': 'Language of customers’ e-mails',
  'business.Colour': 'Colour',
  'business.Image': 'Picture',
  'business.about':
    'Receipts show these details at the top. Customers’ pages and e-mails show them at the bottom.',
  'business.test': 'These are the details of test mode.',
  'business.name.hint': 'Only if it is not {account}.',
  'business.address.hint': 'As on a letter, at most {count} lines.',
  'business.tax.hint': 'As it must appear on receipts, for example PT 501 234 567.',
  'business.phone.hint': 'Where customers call, for example +351 282 555 010.',
  'business.email.hint': 'Where customers write to.',
  'business.locale.hint':
    'E-mails have the language of your choice, and dates, numbers and money in the format of its country. Workflows that came with the account are translated too; those that you have edited are not. Customers’ pages are in the language of the reader’s browser, if it is one of these.',
  'business.colour.hint':
    'The colour of buttons and links that customers see, for example #0a5bb0. Leave it empty for the default blue.',
  'business.locale.default': '{language} (default)',
  'business.logo': 'Logo',
  'business.logo.about':
    'Customers’ pages, tickets, receipts and e-mails show it; without a logo they show the name.',
  'business.logo.remove': 'Remove the logo',
  'business.logo.of': 'The logo of {account}',
  'business.logo.hint': 'PNG, JPEG or WebP, at most {count} kB. About 400 pixels wide is enough.',
  'business.logo.upload': 'Upload',
  'business.line': 'line {number} {fault}',
  'business.too-many-lines': 'must have at most {count} lines',
  'pay-settings.title': 'How customers pay',
  'pay-settings.page': 'Payment page',
  'pay-settings.contact': 'Contact',
  'pay-settings.page.hint':
    'Where your payment provider takes the money, for example {example}. {placeholder} is required: your provider must return it when it reports the payment.',
  'pay-settings.contact.hint':
    'The phone number or e-mail address for customers who cannot pay on that page.',
  'pay-settings.about':
    'A customer who takes an offer of the waitlist has a button that leads to your payment page. The places are booked when your provider reports the payment. Without a payment page, the customer is asked to pay at your desk, and sees the contact.',
  'pay-settings.test': 'These are the settings of test mode, for a page that takes no money.',
} as const
