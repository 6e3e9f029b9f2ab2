/** The names of the fields that the fuzz tests fill with values that exist in the service. */

/** Fields and parameters that are filled with existing values, such as the id of an existing booking. */
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
  'RefundID',
  'ScheduleID',
  'Search',
  'SecretID',
  'Time',
  'ThresholdID',
  'TimeslotID',
  'TicketID',
  'TillID',
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

/**
 * For a field that is called differently from the value that it takes (a list, or a field of OCTO), the known name
 * whose values it takes.
 */
export const knownNameOf: Record<string, string> = {
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

/** Optional fields of OCTO's requests, without which most requests are refused. */
export const usuallyGiven = [
  'productId',
  'optionId',
  'availabilityId',
  'unitItems',
  'unitId',
  'localDateStart',
  'localDateEnd',
]
