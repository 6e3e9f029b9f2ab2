/** Deliveries in responses. */
import { problems } from '../../../http/problems.ts'
import type { DeliveryView, ReplayRequest } from './schemas.ts'
import type { DeliveryRow, ReplayFrom } from './service.ts'

export function deliveryView(delivery: DeliveryRow): DeliveryView {
  return {
    DeliveryID: delivery.id,
    MessageID: delivery.messageId,
    Type: delivery.type,
    EventNumber: delivery.eventNumber,
    Status: delivery.status,
    Tries: delivery.tries,
    FirstTriedAt: delivery.firstTriedAt?.toISOString() ?? null,
    NextTryAt: delivery.nextTryAt?.toISOString() ?? null,
    CreatedAt: delivery.createdAt.toISOString(),
    FinishedAt: delivery.finishedAt?.toISOString() ?? null,
    HTTPStatus: delivery.httpStatus,
    DurationMs: delivery.durationMs,
    Answer: delivery.answer,
    Fault: delivery.fault,
  }
}

/** @throws Problem validation unless either `FromNumber` or `FromTime` is given. */
export function toReplayFrom({ FromNumber, FromTime }: ReplayRequest): ReplayFrom {
  if (FromNumber !== undefined && FromTime === undefined) return { number: FromNumber }
  if (FromTime !== undefined && FromNumber === undefined) return { since: new Date(FromTime) }
  const message = 'or FromTime must be given, and not both'
  throw problems.validation([{ field: 'FromNumber', message }])
}
