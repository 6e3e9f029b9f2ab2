/** The history of a booking: the sentences for each type of event. */
import t from 'tap'
import { historyText } from '../../src/dashboard/parts/history-words.ts'
import { type BookingAction, bookingEventTypes } from '../../src/events/types.ts'
import { textsIn } from '../../src/languages/texts.ts'

const texts = textsIn('en-GB')
const names = {
  units: new Map([
    [1, 'Adult'],
    [2, 'Child'],
  ]),
  products: new Map([
    [7, 'Kayak'],
    [8, 'Surf'],
  ]),
  hours: new Map([[31, [{ opens: '10:00', closes: '18:00' }]]]),
}
const anna = { Kind: 'user', ID: 3, Name: 'Anna' } as const
const say = (
  Action: string,
  Details: object = {},
  Actor: Parameters<typeof historyText>[1]['Actor'] = anna,
) => historyText(texts, { Action, Details, Actor, At: '2030-06-01T10:00:00Z' }, names)

const sayOfPartner = (Details: object) =>
  historyText(
    texts,
    { Action: 'cancelled', Details, Actor: anna, At: '2030-06-01T10:00:00Z' },
    { ...names, isPartners: true },
  )

const money = (Amount: string) => ({ Amount, Currency: 'EUR' })
const [from, to] = [
  { ProductID: 7, Date: '2030-06-03', Time: '10:00' },
  { ProductID: 7, Date: '2030-06-05', Time: '12:00' },
]
const two = { Participants: 2 }

const sentences: Record<BookingAction, [details: object, text: string][]> = {
  held: [[two, 'Anna held the places for 2 people.']],
  waitlisted: [
    [two, 'Anna put 2 people on the waitlist.'],
    [{}, 'Anna put the party on the waitlist.'],
  ],
  confirmed: [
    [{ Participants: 1 }, 'Anna confirmed the booking for 1 person.'],
    [{ Units: [{ UnitID: 1, Quantity: 2 }] }, 'Anna confirmed the booking for 2 × Adult.'],
    [{}, 'Anna confirmed the booking.'],
  ],
  offered: [[{}, 'Anna offered the places to the waiting party.']],
  'offer-taken': [[{}, 'Anna accepted the offered places.']],
  moved: [
    [{ From: from, To: to }, 'Anna moved it from Mon, 3 Jun 2030, 10:00 to Wed, 5 Jun 2030, 12:00.'],
    [
      { From: from, To: { ...to, ProductID: 8 }, TellCustomer: false },
      'Anna moved it from Kayak, Mon, 3 Jun 2030, 10:00 to Surf, Wed, 5 Jun 2030, 12:00. The customer was not told.',
    ],
    [
      { From: from, To: { ...to, TimeslotID: 31 } },
      'Anna moved it from Mon, 3 Jun 2030, 10:00 to Wed, 5 Jun 2030, 10:00–18:00.',
    ],
    [
      { From: from, To: to, Reason: 'closure', FromParticipants: 2, ToParticipants: 3 },
      'Anna moved it from Mon, 3 Jun 2030, 10:00 to Wed, 5 Jun 2030, 12:00 because of a closure, and changed the party from 2 to 3 people.',
    ],
  ],
  amended: [
    [
      { From: 2, To: 1, FromTotal: money('90.00'), ToTotal: money('45.00'), Refund: money('45.00') },
      'Anna changed the party from 2 to 1 person. The price went from €90.00 to €45.00. €45.00 is to be paid back.',
    ],
    [
      {
        ...{ From: 2, To: 3, SetOff: money('5.00') },
        FromUnits: [{ UnitID: 1, Quantity: 2 }],
        ToUnits: [
          { UnitID: 1, Quantity: 1 },
          { UnitID: 2, Quantity: 2 },
        ],
      },
      'Anna changed the party: Adult from 2 to 1, Child from 0 to 2. A refund that was due was reduced by €5.00.',
    ],
    [
      { From: 2, To: 2, FromUnits: [], ToUnits: [{ UnitID: 1, Quantity: 2 }] },
      'Anna changed the party to 2 × Adult.',
    ],
  ],
  cancelled: [
    [{ Reason: 'closure' }, 'Anna cancelled the booking because of a closure.'],
    [
      { Reason: 'They rang: they are ill.', Override: true, Refund: money('40.00') },
      'Anna cancelled the booking. Reason: They rang: they are ill. The cutoff had passed. €40.00 is to be paid back.',
    ],
  ],
  removed: [[{}, 'Anna removed the booking from its sale.']],
  expired: [[{}, 'Anna released the places, because the time to pay had run out.']],
  reduced: [[money('10.50'), 'Anna reduced the price by €10.50.']],
  'checked-in': [
    [{ PeopleHere: 1, Participants: 2 }, 'Anna checked in the party: 1 of 2 here.'],
    [{ PeopleHere: 2, PeopleAbsent: 0, Participants: 2 }, 'Anna checked in the party: 2 of 2 here.'],
    [
      { PeopleHere: 4, PeopleAbsent: 1, Participants: 5 },
      'Anna checked in the party: 4 of 5 here, 1 no-show.',
    ],
    [
      { PeopleHere: 3, PeopleAbsent: 2, Participants: 5, Arrived: false },
      'Anna counted the party: 3 of 5 here, 2 no-shows.',
    ],
    [
      { PeopleHere: 3, PeopleAbsent: 0, Participants: 5, Arrived: false },
      'Anna counted the party: 3 of 5 here.',
    ],
    [{}, 'Anna checked in the party.'],
  ],
  'no-show': [
    [{}, 'Anna noted that the party did not come.'],
    [{ PeopleHere: 0, PeopleAbsent: 2, Participants: 2 }, 'Anna noted that the party did not come.'],
  ],
  'attendance-cleared': [[{}, 'Anna undid the check-in or no-show of the party.']],
  'tickets-made': [
    [{ Tickets: 1 }, 'Anna made 1 ticket.'],
    [{ Tickets: 2 }, 'Anna made 2 tickets.'],
  ],
  'ticket-redeemed': [
    [{ Ticket: 2, PeopleHere: 1, Participants: 2 }, 'Anna redeemed ticket 2: 1 of 2 here.'],
    [
      { Ticket: 2, PeopleHere: 1, PeopleAbsent: 1, Participants: 2 },
      'Anna redeemed ticket 2: 1 of 2 here, 1 no-show.',
    ],
  ],
  'redemption-undone': [[{ Ticket: 2 }, 'Anna undid the redemption of ticket 2.']],
  'ticket-changed': [
    [{ Ticket: 1, Fields: ['Contact.LastName'] }, 'Anna changed the last name of ticket 1.'],
    [{ Ticket: 1, Fields: ['Contact'] }, 'Anna changed the contact of ticket 1.'],
  ],
  extended: [[{}, 'Anna extended the time for which the places are held.']],
  'confirmation-resent': [[{}, 'Anna sent the confirmation again.']],
  messaged: [[{}, 'Anna sent a message to everybody on the timeslot.']],
  'receipt-sent': [[{}, 'Anna sent the receipt.']],
  'customer-changed': [
    [
      { Fields: ['Customer.FirstName', 'Customer.Email', 'Customer.Phone', 'Answers'] },
      'Anna changed the first name, the e-mail address, the phone number and the answers.',
    ],
    [
      { Fields: ['PaymentReference', 'EmailReceipt', 'Tickets'] },
      'Anna changed the partner’s reference, whether the customer gets e-mails and the contacts or references of tickets.',
    ],
    [{}, 'Anna changed the customer.'],
  ],
  'customer-erased': [[{}, 'Anna erased the customer’s data.']],
}

t.test('the history says what happened to the money of the sale', async (t) => {
  const paid = { ...money('90.00'), Reference: 'ch_5521' }
  t.equal(say('payment-declined', money('90.00')), 'Anna declined the payment of €90.00. No money was taken.')
  t.equal(
    say('payment-unused', { ...paid, Reason: 'paid-twice' }),
    'Anna took €90.00 (ch_5521), which bought nothing. Reason: Paid twice.',
  )
  t.equal(
    say('payment-refunded', { ...paid, Reference: 'none' }),
    'Anna noted that the payment that bought nothing was paid back: €90.00 (none).',
    'a reference is shown as it is, even if it is “none”',
  )
  t.equal(
    say('payment-refunded', { ...paid, Method: 'online' }),
    'Anna noted that the payment that bought nothing was paid back: €90.00 online (ch_5521).',
  )
  t.equal(
    say('payment-refunded', { ...money('50.00'), Method: 'card', PaidBackBefore: money('40.00') }),
    'Anna noted that the payment that bought nothing was paid back: €50.00 by card; €40.00 was paid back before.',
  )
  t.equal(
    say('refund-undone', { ...money('90.00'), Method: 'card', Reason: 'The terminal refused it' }),
    'Anna noted that €90.00 by card was not paid back after all. Reason: The terminal refused it.',
  )
})

t.test('the history of a booking says who did what', async (t) => {
  for (const type of bookingEventTypes) {
    const action = type.replace('booking.', '') as BookingAction
    t.test(`${action} is described in a sentence`, async (t) => {
      for (const [details, text] of sentences[action]) t.equal(say(action, details), text)
    })
  }

  t.test('each kind of actor has a name', async (t) => {
    const actor = (Kind: 'customer' | 'payment' | 'service' | 'partner' | 'key') =>
      say('removed', {}, { Kind, ID: 4, Name: null }).split(' removed')[0]
    t.same((['customer', 'payment', 'service', 'partner', 'key'] as const).map(actor), [
      'The customer',
      'The payment provider',
      'This service',
      'A partner',
      'API key 4',
    ])
  })

  t.test('an event that this version does not know is shown by its stored name', async (t) => {
    t.equal(say('teleported'), 'Anna teleported.')
  })
})

t.test('the history says that the partner pays back a booking that it sold', async (t) => {
  t.match(sayOfPartner({ Refund: money('65.00') }), 'The partner pays back €65.00.')
})
