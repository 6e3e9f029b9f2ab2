/** A booking that never was, to show a workflow with where there is no real one at hand. */
import type { BookingFacts } from './facts.ts'

export const sampleBooking: BookingFacts = {
  id: 0,
  reference: 'SAMPLE23',
  status: 'confirmed',
  attendance: null,
  participants: 2,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+351912345678',
  productId: 0,
  productName: 'Sunset kayak tour',
  durationMinutes: 120,
  timeZone: 'Europe/Lisbon',
  date: '2030-06-15',
  time: '18:00',
  startsAt: new Date('2030-06-15T17:00:00Z'),
  localStart: '2030-06-15T18:00:00',
  endsAt: new Date('2030-06-15T19:00:00Z'),
  localEnd: '2030-06-15T20:00:00',
}
