/** A valid catalogue file, with the changes of a test. */
import type { CatalogueFile, FileProduct, FileSchedule } from '../../../src/catalogue/file/schemas.ts'

/** A product that has these optional fields. */
export type FullProduct = FileProduct &
  Required<Pick<FileProduct, 'Description' | 'InShopfront' | 'Questions' | 'Timeslots' | 'Schedules'>>

export const everyDay: FileSchedule['Weekdays'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export function fileProduct(changes: Partial<FullProduct> = {}): FullProduct {
  return {
    Name: 'Kayak tour',
    Description: 'Along the cliffs.',
    DurationMinutes: 120,
    Price: { Amount: '45.00', Currency: 'EUR' },
    TimeZone: 'Europe/Lisbon',
    InShopfront: true,
    Questions: [
      {
        Label: 'Can you swim?',
        Type: 'select',
        Required: true,
        Options: ['Yes', 'No'],
        AppliesTo: 'participant',
      },
      { Label: 'Remarks', Type: 'textarea', Required: false, AppliesTo: 'booking' },
    ],
    Timeslots: [{ Date: '2030-06-15', Time: '10:00', Capacity: 12 }],
    Schedules: [
      {
        From: '2030-01-01',
        To: '2030-12-31',
        Weekdays: ['Mon', 'Sat'],
        Times: ['09:00', '15:00'],
        Capacity: 8,
      },
    ],
    ...changes,
  }
}

export function catalogue(...products: Partial<FullProduct>[]): CatalogueFile {
  return { Products: products.map(fileProduct) }
}
