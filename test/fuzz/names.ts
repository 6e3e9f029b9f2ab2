/** Names of fields in requests, by which those of them are found that the service has something for. */

/** Names of fields and parameters of which the service has some to name. */
export const knownNames = [
  'ActivityID',
  'BasketID',
  'BookingReference',
  'Code',
  'Cursor',
  'Currency',
  'Date',
  'EmailID',
  'ID',
  'Name',
  'PartnerID',
  'PaymentReference',
  'Phone',
  'ProductID',
  'PromotionCode',
  'PromotionID',
  'QuestionID',
  'ScheduleID',
  'Time',
  'ThresholdID',
  'TimeslotID',
  'TicketID',
  'TimeZone',
  'UnitID',
  'WaitlistID',
  'WorkflowID',
  'availabilityId',
  'bookingUuid',
  'optionId',
  'resellerReference',
  'supplierReference',
  'unitId',
] as const
export const isKnownName = (name: string): boolean => (knownNames as readonly string[]).includes(name)

/** What is known by another name, in lists mostly. */
export const listsOf: Record<string, string> = {
  AccompaniedBy: 'UnitID',
  ActivityIDs: 'ActivityID',
  ProductIDs: 'ProductID',
  availabilityIds: 'availabilityId',
  currency: 'Currency',
  id: 'unitId',
  localDate: 'Date',
  localDateEnd: 'Date',
  localDateStart: 'Date',
  productId: 'ActivityID',
  uuid: 'bookingUuid',
}

/** Fields that OCTO's requests may do without, and are mostly refused without. */
export const usuallyGiven = [
  'productId',
  'optionId',
  'availabilityId',
  'unitItems',
  'unitId',
  'localDateStart',
  'localDateEnd',
]
