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
  'DeliveryID',
  'EmailID',
  'EndpointID',
  'EventType',
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
  'SecretID',
  'Time',
  'ThresholdID',
  'TimeslotID',
  'TicketID',
  'TimeZone',
  'URL',
  'UnitID',
  'WaitlistID',
  'WorkflowID',
  'availabilityId',
  'bookingUuid',
  'optionId',
  'notificationType',
  'resellerReference',
  'subscriptionId',
  'supplierReference',
  'unitId',
  'url',
] as const
export const isKnownName = (name: string): boolean => (knownNames as readonly string[]).includes(name)

/** What is known by another name, in lists mostly. */
export const listsOf: Record<string, string> = {
  AccompaniedBy: 'UnitID',
  ActivityIDs: 'ActivityID',
  EventTypes: 'EventType',
  ProductIDs: 'ProductID',
  availabilityIds: 'availabilityId',
  currency: 'Currency',
  id: 'unitId',
  localDate: 'Date',
  localDateEnd: 'Date',
  localDateStart: 'Date',
  notificationTypes: 'notificationType',
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
