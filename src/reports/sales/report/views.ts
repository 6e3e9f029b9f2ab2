/** The sales report as the API returns it. */
import type { Static } from '../../../platform/schema/typebox.ts'
import { toMoney } from '../../../platform/text/money.ts'
import { incomeOf, refundsDueOf, revenueOf, type SalesFigures } from './model.ts'
import type { figuresSchema, reportSchema } from './schemas.ts'
import type { Places, ReportRequest, SalesReport } from './service.ts'

export function reportView(
  { range, step, basis }: ReportRequest,
  report: SalesReport,
): Static<typeof reportSchema> {
  const { before, totals, places, periods, groups, freshness } = report
  return {
    From: range.from,
    To: range.to,
    By: step,
    Basis: basis,
    BeforeFrom: before.from,
    BeforeTo: before.to,
    CompleteFrom: freshness.completeFrom,
    StaleDays: freshness.staleDays,
    WaitingEvents: freshness.waitingEvents,
    Totals: totals.map(({ currency, now, before }) => ({
      Currency: currency,
      Figures: figuresView(now, currency),
      Before: figuresView(before, currency),
    })),
    Places: placesView(places?.now ?? null),
    BeforePlaces: placesView(places?.before ?? null),
    Periods: periods.map(({ from, to, sums, places }) => ({
      From: from,
      To: to,
      Sums: sums.map(({ currency, figures }) => ({
        Currency: currency,
        Figures: figuresView(figures, currency),
      })),
      Places: placesView(places),
    })),
    Groups: groups.map(({ id, name, currency, now, before, places }) => ({
      ID: id,
      Name: name,
      Currency: currency,
      Figures: figuresView(now, currency),
      Before: figuresView(before, currency),
      Places: placesView(places),
    })),
  }
}

function placesView(places: Places | null) {
  return places && { Capacity: places.capacity, Booked: places.booked }
}

function figuresView(figures: SalesFigures, currency: string): Static<typeof figuresSchema> {
  return {
    Bookings: figures.bookings,
    Guests: figures.guests,
    Sold: toMoney(figures.sold, currency),
    CancelledBookings: figures.cancelledBookings,
    CancelledGuests: figures.cancelledGuests,
    Cancelled: toMoney(figures.cancelled, currency),
    Revenue: toMoney(revenueOf(figures), currency),
    Kept: toMoney(figures.kept, currency),
    Income: toMoney(incomeOf(figures), currency),
    RefundsDecided: toMoney(figures.decided, currency),
    PaidBack: toMoney(figures.paidBack, currency),
    RefundsDue: toMoney(refundsDueOf(figures), currency),
    NoShowGuests: figures.noShowGuests,
    CheckedInGuests: figures.checkedInGuests,
    Owed: toMoney(figures.owed, currency),
    Commission: toMoney(figures.commission, currency),
    WithoutTerms: toMoney(figures.withoutTerms, currency),
  }
}
