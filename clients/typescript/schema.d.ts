// Made from the OpenAPI document by `npm run client`. Do not edit it.
// test/clients/typescript.test.ts compares it with the document.

export interface paths {
    "/api/v2/ota/marketplace/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products in the shopfront, or follow what changes
         * @description Names and descriptions are in the first language of `Accept-Language` to which the operator has translated the product, otherwise in the operator’s language; `Content-Language` lists the languages of the response. The products are ordered by ID. The list is complete unless `Limit` is given; then the `Link` header leads to the next page. Store the result, and refresh it with `If-None-Match`. With `UpdatedSince` or `Cursor`, the response lists each changed product once, in its current state, in the order of the latest changes. A product that has left the shopfront has only its `ID`, its `ActivityID` and `InShopfront` false. To continue, request the address in `Link: rel="next"`, which every response with changes has. Store this address even if a page is empty: a later request for it gets the changes since then. A product that changes again is listed again; no change is missed. A cursor from before a restore or a failover of the database gets 422: list all products again.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/resolve-product": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find one product by ID or by name
         * @description Give either `ID` or `Name`. `Name` is the whole name, in the operator’s language or in a language to which the product is translated, without regard to case. The texts of the product are in a language of `Accept-Language`, as in the list.
         */
        get: operations["resolveProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/questions/{ActivityID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the waiver questions of an activity
         * @description In the operator’s order. The customer must answer the required questions before the booking. The questions are in the first language of `Accept-Language` to which the product is translated. `Options` are never translated, because answers contain them. Show `OptionLabels` instead, if a question has them.
         */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/core/questions/{ActivityID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the waiver questions of an activity
         * @description In the operator’s order. The customer must answer the required questions before the booking. The questions are in the first language of `Accept-Language` to which the product is translated. `Options` are never translated, because answers contain them. Show `OptionLabels` instead, if a question has them.
         */
        get: operations["listQuestionsCore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/availability/{ActivityID}/dates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the dates with free places
         * @description Both dates included, at most 366 days. Dates are local to the product.
         */
        get: operations["listDates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/availability/{ActivityID}/timeslots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the timeslots with free places on a date
         * @description Earliest first. Timeslots that are closed or no longer on sale are left out.
         */
        get: operations["listTimeslots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/availability/{ActivityID}/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every timeslot on sale in a range of dates
         * @description Both dates included, at most 31 days; earliest first. Full timeslots have `Available` 0; timeslots that are closed or no longer on sale are left out. If the timeslots and prices of units together are more than 75,000, the response is 422: request fewer days.
         */
        get: operations["listCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the dates with free places of many products
         * @description In the order of `ActivityIDs`. Both dates included, at most 31 days. Dates are local to each product.
         */
        get: operations["listDatesOfMany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/booking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find bookings by payment, or follow what changes
         * @description With `PaymentReference`: the bookings of that payment, newest first. Otherwise: each booking once, in its current state, in the order of the latest changes. Start with `UpdatedSince`, and continue with `Link: rel="next"`, which every response has. Keep that address: when a page is empty, request it again later to get the changes since then. A booking that changes again is listed again; none is missed.
         */
        get: operations["listOwnBookings"];
        put?: never;
        /**
         * Book places on a timeslot
         * @description The booking is committed when 201 is sent, and capacity is never exceeded. Send an `Idempotency-Key`, so that a retry after a lost response cannot book twice. On 409, offer the customer one of `Alternatives`. With a test key, special values of `Customer.Email` cause each response that your client has to handle: see “Going live”.
         */
        post: operations["createBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/booking/{BookingReference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a booking
         * @description Returns the booking as it is now. A partner sees only the bookings that it has made.
         */
        get: operations["readOwnBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/marketplace/booking/{BookingReference}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a booking
         * @description The places of the booking have been freed when 200 is sent; the waitlist gets them first. A booking that is already cancelled is returned unchanged. After the product’s cutoff, the response is 409: only the operator can then cancel.
         */
        post: operations["cancelOwnBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description By EndpointID: those of your partner.
         */
        get: operations["listOwnWebhookEndpoints"];
        put?: never;
        /**
         * Make a webhook endpoint
         * @description It gets events from now on. Only this response has `Secret`: store it. A partner may have 5 endpoints.
         */
        post: operations["createOwnWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description `Position` and `LogEnd` show its progress in the log of events.
         */
        get: operations["readOwnWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Returns the deleted endpoint. Waiting deliveries are not sent, and all its deliveries are deleted.
         */
        delete: operations["deleteOwnWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Fields that are left out do not change. Waiting deliveries are sent to the new `URL`. New `EventTypes` apply to events after `Position`.
         */
        patch: operations["changeOwnWebhookEndpoint"];
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a webhook endpoint
         * @description It gets nothing until it is resumed. For 30 days, the service keeps the events that the endpoint needs. After that, old events may be deleted.
         */
        post: operations["pauseOwnWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a webhook endpoint
         * @description It continues where it stopped, with the unfinished deliveries.
         */
        post: operations["resumeOwnWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another secret
         * @description Deliveries are signed with both secrets until one is deleted, so that the receiver can change to the new one without a gap. Only this response has `Secret`. An endpoint has at most two secrets.
         */
        post: operations["createOwnWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/secrets/{SecretID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a secret
         * @description Deliveries are no longer signed with it. Returns the endpoint. The last secret cannot be deleted.
         */
        delete: operations["deleteOwnWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of an endpoint
         * @description Newest first: those that wait, and those that finished in the last 30 days. `Link: rel="next"` leads to the rest.
         */
        get: operations["listOwnWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to an endpoint
         * @description Sends an event of the type `webhook.test`, which an endpoint gets with any EventTypes. The list of deliveries shows the outcome.
         */
        post: operations["testOwnWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends the events of the endpoint’s `EventTypes` again, from an event or an instant on, with the same ids. A `FromNumber` above `Position` changes nothing. Expired events cannot be sent.
         */
        post: operations["replayOwnWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/ota/webhooks/{EndpointID}/deliveries/{DeliveryID}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one delivery again
         * @description The delivery must be finished, and its event must not have expired. It keeps its `webhook-id`. Returns the new delivery.
         */
        post: operations["repeatOwnWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/meters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up usage by meter
         * @description Counts the entries whose 201 was sent, and the events that count as usage and were committed, before this request. It waits up to 2 seconds for entries that are not stored yet; the header `Usage-Pending` says how many entries it does not count. Days are local to the account. A range may have any length; the sums are of all meters, or of up to 100 that you name. `granularity=day` has limits, above which the response is 422.
         */
        get: operations["summarizeUsage"];
        put?: never;
        /**
         * Record a usage entry
         * @description The entry is durable when 201 is sent, and is counted exactly once. Send an `Idempotency-Key`, so that a retry after a lost response or a 503 does not record another entry. The key stays bound to its body after a 503 too, because the entry may have been recorded: retry with the same body, and use a new key for another entry.
         */
        post: operations["recordUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/meters/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 1000 usage entries
         * @description Records all entries or none. The response lists them in the order of the request. An `Idempotency-Key` covers the whole batch, and stays bound to it after a 503. The body may have up to 10 MiB.
         */
        post: operations["recordUsageBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/entries/{ID}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an entry out of the totals
         * @description The entry is still listed, marked with the reason. Voiding it again changes nothing. The response is 503 while an accepted entry is not stored: it still waits, or it could not be stored and the operator must resolve it.
         */
        post: operations["voidUsageEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List thresholds on usage
         * @description All thresholds of the account, at most 100, by meter, period and amount.
         */
        get: operations["listUsageThresholds"];
        put?: never;
        /**
         * Set a threshold on a meter
         * @description When a total of the meter reaches the threshold, an event `usage.threshold-crossed` reports it, once for each period. A threshold that the current total has reached already is crossed at once. No usage is refused, and a void does not undo a crossing. An account may have 100 thresholds.
         */
        post: operations["setUsageThreshold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/thresholds/{ThresholdID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a threshold
         * @description Returns the removed threshold. Events of its crossings stay. If you set the same threshold again, it is a new one.
         */
        delete: operations["removeUsageThreshold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List usage entries
         * @description Stored entries of a range of days, by day, meter and ID, including voided entries. `Link: rel="next"` leads to the rest.
         */
        get: operations["listUsageEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Problem */
        Problem: {
            /** @description Absolute URI that identifies the problem, and the address of a page about it. */
            type: string;
            title: string;
            status: number;
            /** @description What is wrong with this request. */
            detail: string;
            /** @description The request’s path. */
            instance: string;
            /** @description Every failing field. */
            errors?: {
                field: string;
                message: string;
            }[];
            Available?: number;
            /** @description The next timeslots of the activity that would fit, among its next 500 within 92 days. */
            Alternatives?: {
                Date: string;
                Time: string;
                Available: number;
            }[];
            /** @description Index in `Lines`, from 0, if there are several. */
            Line?: number;
            Status?: string;
            /** Format: date-time */
            CancelBy?: string;
            Limit?: number;
            ThresholdID?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description Part of the name in the operator’s language or in a language of `Accept-Language`, without regard to case.
                 * @example kayak
                 */
                name?: string;
                /**
                 * @description The most products in one response; 100 by default for changes.
                 * @example 100
                 */
                Limit?: number;
                /**
                 * @description The last ID of the previous page.
                 * @example 12
                 */
                After?: number;
                /**
                 * @description The instant at which the list of changes begins.
                 * @example 2027-06-01T00:00:00Z
                 */
                UpdatedSince?: string;
                /**
                 * @description From the `Link: rel="next"` of the previous response.
                 * @example WzEyXQ
                 */
                Cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    /** @description The next page (`rel="next"`). The list of changes always has this header; the whole list has it only if there is a next page. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: ({
                            /** @example 12 */
                            ID: number;
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * @description Unique within the account, without regard to case.
                             * @example Sunset kayak tour
                             */
                            Name: string;
                            /**
                             * @description Description for customers, as plain text.
                             * @example Two hours along the cliffs, wetsuit included.
                             */
                            Description: string;
                            /**
                             * @description Minutes from the start of a timeslot to its end. An all-day timeslot ends at its last closing instead.
                             * @example 120
                             */
                            DurationMinutes: number;
                            /** @description Price of one person, or of the whole booking if `PricedPer` is `booking`. */
                            Price: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * @description IANA time zone of the product’s dates and times.
                             * @example Europe/Lisbon
                             */
                            TimeZone: string;
                            /** @description The units that the product sells, in the operator’s order. Missing for a product without units, which sells places. */
                            Units?: {
                                /** @example 72 */
                                UnitID: number;
                                /**
                                 * @description Unique within the product, without regard to case.
                                 * @example Child
                                 */
                                Name: string;
                                /**
                                 * @description The kind of person that the unit is for.
                                 * @example CHILD
                                 * @enum {unknown}
                                 */
                                Type: "ADULT" | "YOUTH" | "CHILD" | "INFANT" | "FAMILY" | "SENIOR" | "STUDENT" | "MILITARY" | "OTHER" | "PERSON";
                                /** @description Price of one ticket of the unit, in the product’s currency. The default unit has the product’s price. */
                                Price: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                                /**
                                 * @description Places of the timeslot that one ticket of the unit takes.
                                 * @example 1
                                 */
                                Places: number;
                                /**
                                 * @description How many people one ticket of the unit admits: for example 4 for a family.
                                 * @example 1
                                 */
                                People: number;
                                MinAge: number | null;
                                MaxAge: number | null;
                                MinQuantity: number | null;
                                MaxQuantity: number | null;
                                /**
                                 * @description Whether a request with `Participants` buys this unit. The default unit takes one place and admits one person.
                                 * @example false
                                 */
                                Default: boolean;
                                /**
                                 * @description Units of the product. At least one of these units must be in the same booking.
                                 * @example [
                                 *       71
                                 *     ]
                                 */
                                AccompaniedBy: number[];
                            }[];
                            /**
                             * @description The fewest places of a booking.
                             * @example 1
                             */
                            MinPlaces?: number;
                            /**
                             * @description The most places of a booking.
                             * @example 10
                             */
                            MaxPlaces?: number;
                            /**
                             * @description What the price is for: each person, or the booking as a whole.
                             * @example person
                             * @enum {unknown}
                             */
                            PricedPer?: "person" | "booking";
                            /**
                             * @description Whether a booking takes the whole timeslot, including places added later. Only with `PricedPer` `booking`.
                             * @example false
                             */
                            TakesTimeslot?: boolean;
                            /**
                             * @description Places are sold until this many minutes before the start, or before the last closing of an all-day timeslot.
                             * @example 1440
                             */
                            BookingCutoffMinutes?: number;
                            /**
                             * @description How much of a booking’s total is paid back when it is cancelled. After the last of these times, nothing is paid back.
                             * @example [
                             *       {
                             *         "Percent": "100",
                             *         "HoursBefore": 48
                             *       },
                             *       {
                             *         "Percent": "50",
                             *         "HoursBefore": 24
                             *       }
                             *     ]
                             */
                            RefundTerms?: {
                                /**
                                 * @description The percentage of the total that is paid back.
                                 * @example 50
                                 */
                                Percent: string;
                                /**
                                 * @description The percentage applies to cancellations until this many hours before the start.
                                 * @example 24
                                 */
                                HoursBefore: number;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2026-05-04T09:30:00.000Z
                             */
                            UpdatedAt: string;
                        } | {
                            /** @example 12 */
                            ID: number;
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /** @enum {boolean} */
                            InShopfront: false;
                        })[];
                    };
                };
            };
            /** @description The response has not changed since the one that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveProduct: {
        parameters: {
            query?: {
                /** @example 12 */
                ID?: number;
                /** @example Sunset kayak tour */
                Name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Product */
                        data: {
                            /** @example 12 */
                            ID: number;
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * @description Unique within the account, without regard to case.
                             * @example Sunset kayak tour
                             */
                            Name: string;
                            /**
                             * @description Description for customers, as plain text.
                             * @example Two hours along the cliffs, wetsuit included.
                             */
                            Description: string;
                            /**
                             * @description Minutes from the start of a timeslot to its end. An all-day timeslot ends at its last closing instead.
                             * @example 120
                             */
                            DurationMinutes: number;
                            /** @description Price of one person, or of the whole booking if `PricedPer` is `booking`. */
                            Price: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * @description IANA time zone of the product’s dates and times.
                             * @example Europe/Lisbon
                             */
                            TimeZone: string;
                            /** @description The units that the product sells, in the operator’s order. Missing for a product without units, which sells places. */
                            Units?: {
                                /** @example 72 */
                                UnitID: number;
                                /**
                                 * @description Unique within the product, without regard to case.
                                 * @example Child
                                 */
                                Name: string;
                                /**
                                 * @description The kind of person that the unit is for.
                                 * @example CHILD
                                 * @enum {unknown}
                                 */
                                Type: "ADULT" | "YOUTH" | "CHILD" | "INFANT" | "FAMILY" | "SENIOR" | "STUDENT" | "MILITARY" | "OTHER" | "PERSON";
                                /** @description Price of one ticket of the unit, in the product’s currency. The default unit has the product’s price. */
                                Price: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                                /**
                                 * @description Places of the timeslot that one ticket of the unit takes.
                                 * @example 1
                                 */
                                Places: number;
                                /**
                                 * @description How many people one ticket of the unit admits: for example 4 for a family.
                                 * @example 1
                                 */
                                People: number;
                                MinAge: number | null;
                                MaxAge: number | null;
                                MinQuantity: number | null;
                                MaxQuantity: number | null;
                                /**
                                 * @description Whether a request with `Participants` buys this unit. The default unit takes one place and admits one person.
                                 * @example false
                                 */
                                Default: boolean;
                                /**
                                 * @description Units of the product. At least one of these units must be in the same booking.
                                 * @example [
                                 *       71
                                 *     ]
                                 */
                                AccompaniedBy: number[];
                            }[];
                            /**
                             * @description The fewest places of a booking.
                             * @example 1
                             */
                            MinPlaces?: number;
                            /**
                             * @description The most places of a booking.
                             * @example 10
                             */
                            MaxPlaces?: number;
                            /**
                             * @description What the price is for: each person, or the booking as a whole.
                             * @example person
                             * @enum {unknown}
                             */
                            PricedPer?: "person" | "booking";
                            /**
                             * @description Whether a booking takes the whole timeslot, including places added later. Only with `PricedPer` `booking`.
                             * @example false
                             */
                            TakesTimeslot?: boolean;
                            /**
                             * @description Places are sold until this many minutes before the start, or before the last closing of an all-day timeslot.
                             * @example 1440
                             */
                            BookingCutoffMinutes?: number;
                            /**
                             * @description How much of a booking’s total is paid back when it is cancelled. After the last of these times, nothing is paid back.
                             * @example [
                             *       {
                             *         "Percent": "100",
                             *         "HoursBefore": 48
                             *       },
                             *       {
                             *         "Percent": "50",
                             *         "HoursBefore": 24
                             *       }
                             *     ]
                             */
                            RefundTerms?: {
                                /**
                                 * @description The percentage of the total that is paid back.
                                 * @example 50
                                 */
                                Percent: string;
                                /**
                                 * @description The percentage applies to cancellations until this many hours before the start.
                                 * @example 24
                                 */
                                HoursBefore: number;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2026-05-04T09:30:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `product-lookup`: A product is found by exactly one of ID and Name. The request has neither or both.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `product-not-found`: No product in the shopfront has this ID or Name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of an activity: `s_` and a lower-case UUID.
                 * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                 */
                ActivityID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example 31 */
                            ID: number;
                            /**
                             * @description The question as the customer reads it.
                             * @example Can every participant swim?
                             */
                            Label: string;
                            /**
                             * @description The kind of answer.
                             * @example select
                             * @enum {unknown}
                             */
                            Type: "text" | "textarea" | "select" | "checkbox" | "date" | "email" | "phone" | "signature" | "file";
                            /** @description Whether the customer must answer the question before the booking. */
                            Required: boolean;
                            /**
                             * @description The choices, for `select` and `checkbox`.
                             * @example [
                             *       "Yes",
                             *       "No"
                             *     ]
                             */
                            Options: string[];
                            /**
                             * @description Whether the question is for the booking as a whole, or for every participant.
                             * @example booking
                             * @enum {unknown}
                             */
                            AppliesTo: "booking" | "participant";
                            /**
                             * @description The translations of `Options`, in the same order; missing if the question is not translated. Send texts of `Options` in answers.
                             * @example [
                             *       "Sim",
                             *       "Não"
                             *     ]
                             */
                            OptionLabels?: string[];
                        }[];
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `invalid-activity-id`: The ActivityID in the path is not `s_` followed by a lower-case UUID.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `activity-not-found`: No product in the shopfront has this ActivityID. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQuestionsCore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of an activity: `s_` and a lower-case UUID.
                 * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                 */
                ActivityID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example 31 */
                            ID: number;
                            /**
                             * @description The question as the customer reads it.
                             * @example Can every participant swim?
                             */
                            Label: string;
                            /**
                             * @description The kind of answer.
                             * @example select
                             * @enum {unknown}
                             */
                            Type: "text" | "textarea" | "select" | "checkbox" | "date" | "email" | "phone" | "signature" | "file";
                            /** @description Whether the customer must answer the question before the booking. */
                            Required: boolean;
                            /**
                             * @description The choices, for `select` and `checkbox`.
                             * @example [
                             *       "Yes",
                             *       "No"
                             *     ]
                             */
                            Options: string[];
                            /**
                             * @description Whether the question is for the booking as a whole, or for every participant.
                             * @example booking
                             * @enum {unknown}
                             */
                            AppliesTo: "booking" | "participant";
                            /**
                             * @description The translations of `Options`, in the same order; missing if the question is not translated. Send texts of `Options` in answers.
                             * @example [
                             *       "Sim",
                             *       "Não"
                             *     ]
                             */
                            OptionLabels?: string[];
                        }[];
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `invalid-activity-id`: The ActivityID in the path is not `s_` followed by a lower-case UUID.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `activity-not-found`: No product in the shopfront has this ActivityID. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDates: {
        parameters: {
            query: {
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                StartDate: string;
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                EndDate: string;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of an activity: `s_` and a lower-case UUID.
                 * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                 */
                ActivityID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: date
                             * @description Calendar date, YYYY-MM-DD.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Timeslots of that date with free places.
                             * @example 3
                             */
                            Timeslots: number;
                            /**
                             * @description All places of those timeslots.
                             * @example 36
                             */
                            Capacity: number;
                            /**
                             * @description Free places on them.
                             * @example 29
                             */
                            Available: number;
                        }[];
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `invalid-activity-id`: The ActivityID in the path is not `s_` followed by a lower-case UUID.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `activity-not-found`: No product in the shopfront has this ActivityID. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTimeslots: {
        parameters: {
            query: {
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                Date: string;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of an activity: `s_` and a lower-case UUID.
                 * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                 */
                ActivityID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Local start, or first opening.
                             * @example 10:00
                             */
                            Time: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-12T10:00:00+01:00
                             */
                            StartsAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-12T12:00:00+01:00
                             */
                            EndsAt: string;
                            /**
                             * @description Whether it has opening hours instead of a start.
                             * @example false
                             */
                            AllDay?: boolean;
                            /**
                             * @description Local opening hours, in order. Empty unless it is all-day.
                             * @example [
                             *       {
                             *         "Opens": "09:00",
                             *         "Closes": "17:00"
                             *       }
                             *     ]
                             */
                            OpeningHours?: {
                                /** @example 10:00 */
                                Opens: string;
                                /**
                                 * @description If the closing is at or before the opening, it is on the next day; `00:00` is midnight.
                                 * @example 17:00
                                 */
                                Closes: string;
                            }[];
                            /**
                             * Format: date-time
                             * @description Until when the timeslot is on sale: its start, or its last closing, less the booking cut-off.
                             * @example 2027-06-12T09:00:00+01:00
                             */
                            OnSaleUntil?: string;
                            /**
                             * @description All places.
                             * @example 12
                             */
                            Capacity: number;
                            /**
                             * @description Places free.
                             * @example 9
                             */
                            Available: number;
                            /** @description The prices of a product that has units, or whose schedules or timeslots have their own prices. */
                            Units?: {
                                /**
                                 * @description A unit of the product; 0 is a place of a product without units.
                                 * @example 72
                                 */
                                UnitID: number;
                                /** @description Price of one ticket on this timeslot. */
                                Price: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                        }[];
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `invalid-activity-id`: The ActivityID in the path is not `s_` followed by a lower-case UUID.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `activity-not-found`: No product in the shopfront has this ActivityID. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCalendar: {
        parameters: {
            query: {
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                StartDate: string;
                /**
                 * @description At most 30 days after StartDate.
                 * @example 2027-06-12
                 */
                EndDate: string;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of an activity: `s_` and a lower-case UUID.
                 * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                 */
                ActivityID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: date
                             * @description Calendar date, YYYY-MM-DD.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Local start, or first opening.
                             * @example 10:00
                             */
                            Time: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-12T10:00:00+01:00
                             */
                            StartsAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-12T12:00:00+01:00
                             */
                            EndsAt: string;
                            /**
                             * @description Whether it has opening hours instead of a start.
                             * @example false
                             */
                            AllDay?: boolean;
                            /**
                             * @description Local opening hours, in order. Empty unless it is all-day.
                             * @example [
                             *       {
                             *         "Opens": "09:00",
                             *         "Closes": "17:00"
                             *       }
                             *     ]
                             */
                            OpeningHours?: {
                                /** @example 10:00 */
                                Opens: string;
                                /**
                                 * @description If the closing is at or before the opening, it is on the next day; `00:00` is midnight.
                                 * @example 17:00
                                 */
                                Closes: string;
                            }[];
                            /**
                             * Format: date-time
                             * @description Until when the timeslot is on sale: its start, or its last closing, less the booking cut-off.
                             * @example 2027-06-12T09:00:00+01:00
                             */
                            OnSaleUntil?: string;
                            /**
                             * @description All places.
                             * @example 12
                             */
                            Capacity: number;
                            /**
                             * @description Free places; 0 when it is full.
                             * @example 9
                             */
                            Available: number;
                            /** @description The prices of a product that has units, or whose schedules or timeslots have their own prices. */
                            Units?: {
                                /**
                                 * @description A unit of the product; 0 is a place of a product without units.
                                 * @example 72
                                 */
                                UnitID: number;
                                /** @description Price of one ticket on this timeslot. */
                                Price: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                        }[];
                    };
                };
            };
            /**
             * @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.
             *
             *     `invalid-activity-id`: The ActivityID in the path is not `s_` followed by a lower-case UUID.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `activity-not-found`: No product in the shopfront has this ActivityID. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDatesOfMany: {
        parameters: {
            query: {
                /**
                 * @description Products of the shopfront, separated by commas: at most 100, each once.
                 * @example [
                 *       "s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10"
                 *     ]
                 */
                ActivityIDs: string[];
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                StartDate: string;
                /**
                 * @description Calendar date, YYYY-MM-DD.
                 * @example 2027-06-12
                 */
                EndDate: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /** @description The same as in the list for one product. */
                            Dates: {
                                /**
                                 * Format: date
                                 * @description Calendar date, YYYY-MM-DD.
                                 * @example 2027-06-12
                                 */
                                Date: string;
                                /**
                                 * @description Timeslots of that date with free places.
                                 * @example 3
                                 */
                                Timeslots: number;
                                /**
                                 * @description All places of those timeslots.
                                 * @example 36
                                 */
                                Capacity: number;
                                /**
                                 * @description Free places on them.
                                 * @example 29
                                 */
                                Available: number;
                            }[];
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnBookings: {
        parameters: {
            query?: {
                /**
                 * @description Only the bookings that were made with this payment reference.
                 * @example OTA-2027-000123
                 */
                PaymentReference?: string;
                /**
                 * @description The time at which the list of changes begins. Without it and without `Cursor`, the list begins with the first change.
                 * @example 2027-06-01T00:00:00Z
                 */
                UpdatedSince?: string;
                /**
                 * @description The maximum number of items in one response; 100 by default.
                 * @example 100
                 */
                Limit?: number;
                /**
                 * @description From the `Link: rel="next"` of the previous response.
                 * @example WzEyXQ
                 */
                Cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    /** @description The next page (`rel="next"`). The list of changes always has one; the list of a payment’s bookings only if there are more. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Short, unique, and safe to read aloud.
                             * @example 7KQ4MXW2PD
                             */
                            BookingReference: string;
                            /**
                             * @example confirmed
                             * @enum {unknown}
                             */
                            Status: "held" | "waitlisted" | "confirmed" | "cancelled" | "expired";
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * Format: date
                             * @description Date in the product’s time zone.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Start of the timeslot, HH:MM in the product’s time zone.
                             * @example 10:00
                             */
                            Time: string;
                            /** @example 2 */
                            Participants: number;
                            /** @description The units as they were sold. A unit that was sold at two prices is listed twice. */
                            Units?: {
                                /**
                                 * @description The ID of a unit of the product. 0 is the default unit, also for a product without units.
                                 * @example 3
                                 */
                                UnitID: number;
                                /** @example Adult */
                                Name: string;
                                /** @example ADULT */
                                Type: string;
                                /** @example 2 */
                                Quantity: number;
                                /** @description The price of one unit. Absent if the price is for the whole booking. */
                                UnitPrice?: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                            /**
                             * Money
                             * @description The reduction of the price; absent without one.
                             */
                            Discount?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * Money
                             * @description The total price, after the reduction.
                             */
                            Total?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            PaymentReference: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            CreatedAt: string;
                            /**
                             * @description Made in test mode: it is not real, and takes no places that are on sale.
                             * @example true
                             * @enum {boolean}
                             */
                            TestMode?: true;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            UpdatedAt: string;
                            /** @example null */
                            CancelledAt: string | null;
                            /**
                             * @description Who cancelled the booking; `closure` if its timeslot was closed.
                             * @example null
                             */
                            CancelReason: ("operator" | "partner" | "customer" | "closure") | null;
                            /** @description The amount to pay back for a cancelled booking. For the operator’s own sale: the amount that was decided, at most what was paid. For a partner’s booking: the amount by the refund terms that were in force when it was made, or the whole price if its timeslot was closed. Null for a booking that is not cancelled or was never confirmed, for a partner’s booking without terms, and for an own sale without terms of which nothing was paid. The service itself pays nothing back. */
                            Refund?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /** @description What the partner owes the operator for the booking, by the terms under which it was sold; 0 unless the booking is confirmed, null without terms. */
                            Owed?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /**
                             * @description Whether the party came: `checked-in` if at least one person is here; null if the attendance is not recorded.
                             * @example checked-in
                             */
                            Attendance: ("checked-in" | "no-show") | null;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBooking: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Identifier of an activity: `s_` and a lower-case UUID.
                     * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                     */
                    ActivityID: string;
                    /**
                     * Format: date
                     * @description Date in the product’s time zone.
                     * @example 2027-06-12
                     */
                    Date: string;
                    /**
                     * @description Start of the timeslot, HH:MM in the product’s time zone.
                     * @example 10:00
                     */
                    Time: string;
                    /**
                     * @description How many people. Without `Units` they buy the default unit.
                     * @example 2
                     */
                    Participants?: number;
                    /** @description The units and their quantities. If `Participants` is given too, it must be the number of people of these units. */
                    Units?: {
                        /**
                         * @description The ID of a unit of the product. 0 is the default unit, also for a product without units.
                         * @example 3
                         */
                        UnitID: number;
                        /** @example 2 */
                        Quantity: number;
                    }[];
                    Customer: {
                        /** @example Ada */
                        FirstName: string;
                        /** @example Lovelace */
                        LastName: string;
                        /**
                         * Format: email
                         * @example ada@example.com
                         */
                        Email: string;
                        /**
                         * @description International format with a leading +; spaces, hyphens, dots and parentheses are dropped.
                         * @example +351 912 345 678
                         */
                        Phone?: string;
                    };
                    /**
                     * @description The partner’s own reference of the payment it collected.
                     * @example OTA-2027-000123
                     */
                    PaymentReference?: string;
                    /** @description Answers to the product’s waiver questions. */
                    Answers?: {
                        /** @example 31 */
                        QuestionID: number;
                        /**
                         * @description If the question is asked of each participant: a list with one text for each participant. Several choices of one participant are joined by “, ”.
                         * @example Yes
                         */
                        Value: string | string[];
                    }[];
                } | {
                    Participants: unknown;
                } | {
                    Units: unknown;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Booking */
                        data: {
                            /**
                             * @description Short, unique, and safe to read aloud.
                             * @example 7KQ4MXW2PD
                             */
                            BookingReference: string;
                            /**
                             * @example confirmed
                             * @enum {unknown}
                             */
                            Status: "held" | "waitlisted" | "confirmed" | "cancelled" | "expired";
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * Format: date
                             * @description Date in the product’s time zone.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Start of the timeslot, HH:MM in the product’s time zone.
                             * @example 10:00
                             */
                            Time: string;
                            /** @example 2 */
                            Participants: number;
                            /** @description The units as they were sold. A unit that was sold at two prices is listed twice. */
                            Units?: {
                                /**
                                 * @description The ID of a unit of the product. 0 is the default unit, also for a product without units.
                                 * @example 3
                                 */
                                UnitID: number;
                                /** @example Adult */
                                Name: string;
                                /** @example ADULT */
                                Type: string;
                                /** @example 2 */
                                Quantity: number;
                                /** @description The price of one unit. Absent if the price is for the whole booking. */
                                UnitPrice?: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                            /**
                             * Money
                             * @description The reduction of the price; absent without one.
                             */
                            Discount?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * Money
                             * @description The total price, after the reduction.
                             */
                            Total?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            PaymentReference: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            CreatedAt: string;
                            /**
                             * @description Made in test mode: it is not real, and takes no places that are on sale.
                             * @example true
                             * @enum {boolean}
                             */
                            TestMode?: true;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `insufficient-capacity`: The timeslot has fewer places left than the booking needs. `Available` is the number.
             *
             *     `timeslot-unavailable`: The activity has no such timeslot, the timeslot is closed, or it is no longer on sale.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readOwnBooking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `BookingReference` in the response to the booking request.
                 * @example 7KQ4MXW2PD
                 */
                BookingReference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** PartnerBooking */
                        data: {
                            /**
                             * @description Short, unique, and safe to read aloud.
                             * @example 7KQ4MXW2PD
                             */
                            BookingReference: string;
                            /**
                             * @example confirmed
                             * @enum {unknown}
                             */
                            Status: "held" | "waitlisted" | "confirmed" | "cancelled" | "expired";
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * Format: date
                             * @description Date in the product’s time zone.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Start of the timeslot, HH:MM in the product’s time zone.
                             * @example 10:00
                             */
                            Time: string;
                            /** @example 2 */
                            Participants: number;
                            /** @description The units as they were sold. A unit that was sold at two prices is listed twice. */
                            Units?: {
                                /**
                                 * @description The ID of a unit of the product. 0 is the default unit, also for a product without units.
                                 * @example 3
                                 */
                                UnitID: number;
                                /** @example Adult */
                                Name: string;
                                /** @example ADULT */
                                Type: string;
                                /** @example 2 */
                                Quantity: number;
                                /** @description The price of one unit. Absent if the price is for the whole booking. */
                                UnitPrice?: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                            /**
                             * Money
                             * @description The reduction of the price; absent without one.
                             */
                            Discount?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * Money
                             * @description The total price, after the reduction.
                             */
                            Total?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            PaymentReference: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            CreatedAt: string;
                            /**
                             * @description Made in test mode: it is not real, and takes no places that are on sale.
                             * @example true
                             * @enum {boolean}
                             */
                            TestMode?: true;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            UpdatedAt: string;
                            /** @example null */
                            CancelledAt: string | null;
                            /**
                             * @description Who cancelled the booking; `closure` if its timeslot was closed.
                             * @example null
                             */
                            CancelReason: ("operator" | "partner" | "customer" | "closure") | null;
                            /** @description The amount to pay back for a cancelled booking. For the operator’s own sale: the amount that was decided, at most what was paid. For a partner’s booking: the amount by the refund terms that were in force when it was made, or the whole price if its timeslot was closed. Null for a booking that is not cancelled or was never confirmed, for a partner’s booking without terms, and for an own sale without terms of which nothing was paid. The service itself pays nothing back. */
                            Refund?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /** @description What the partner owes the operator for the booking, by the terms under which it was sold; 0 unless the booking is confirmed, null without terms. */
                            Owed?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /**
                             * @description Whether the party came: `checked-in` if at least one person is here; null if the attendance is not recorded.
                             * @example checked-in
                             */
                            Attendance: ("checked-in" | "no-show") | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelOwnBooking: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description The `BookingReference` in the response to the booking request.
                 * @example 7KQ4MXW2PD
                 */
                BookingReference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** PartnerBooking */
                        data: {
                            /**
                             * @description Short, unique, and safe to read aloud.
                             * @example 7KQ4MXW2PD
                             */
                            BookingReference: string;
                            /**
                             * @example confirmed
                             * @enum {unknown}
                             */
                            Status: "held" | "waitlisted" | "confirmed" | "cancelled" | "expired";
                            /**
                             * @description Identifier of an activity: `s_` and a lower-case UUID.
                             * @example s_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10
                             */
                            ActivityID: string;
                            /**
                             * Format: date
                             * @description Date in the product’s time zone.
                             * @example 2027-06-12
                             */
                            Date: string;
                            /**
                             * @description Start of the timeslot, HH:MM in the product’s time zone.
                             * @example 10:00
                             */
                            Time: string;
                            /** @example 2 */
                            Participants: number;
                            /** @description The units as they were sold. A unit that was sold at two prices is listed twice. */
                            Units?: {
                                /**
                                 * @description The ID of a unit of the product. 0 is the default unit, also for a product without units.
                                 * @example 3
                                 */
                                UnitID: number;
                                /** @example Adult */
                                Name: string;
                                /** @example ADULT */
                                Type: string;
                                /** @example 2 */
                                Quantity: number;
                                /** @description The price of one unit. Absent if the price is for the whole booking. */
                                UnitPrice?: {
                                    /**
                                     * @description Decimal amount.
                                     * @example 45.00
                                     */
                                    Amount: string;
                                    /**
                                     * @description ISO 4217 code.
                                     * @example EUR
                                     */
                                    Currency: string;
                                };
                            }[];
                            /**
                             * Money
                             * @description The reduction of the price; absent without one.
                             */
                            Discount?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            /**
                             * Money
                             * @description The total price, after the reduction.
                             */
                            Total?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            };
                            PaymentReference: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            CreatedAt: string;
                            /**
                             * @description Made in test mode: it is not real, and takes no places that are on sale.
                             * @example true
                             * @enum {boolean}
                             */
                            TestMode?: true;
                            /**
                             * Format: date-time
                             * @example 2027-05-30T08:15:30.123Z
                             */
                            UpdatedAt: string;
                            /** @example null */
                            CancelledAt: string | null;
                            /**
                             * @description Who cancelled the booking; `closure` if its timeslot was closed.
                             * @example null
                             */
                            CancelReason: ("operator" | "partner" | "customer" | "closure") | null;
                            /** @description The amount to pay back for a cancelled booking. For the operator’s own sale: the amount that was decided, at most what was paid. For a partner’s booking: the amount by the refund terms that were in force when it was made, or the whole price if its timeslot was closed. Null for a booking that is not cancelled or was never confirmed, for a partner’s booking without terms, and for an own sale without terms of which nothing was paid. The service itself pays nothing back. */
                            Refund?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /** @description What the partner owes the operator for the booking, by the terms under which it was sold; 0 unless the booking is confirmed, null without terms. */
                            Owed?: {
                                /**
                                 * @description Decimal amount.
                                 * @example 45.00
                                 */
                                Amount: string;
                                /**
                                 * @description ISO 4217 code.
                                 * @example EUR
                                 */
                                Currency: string;
                            } | null;
                            /**
                             * @description Whether the party came: `checked-in` if at least one person is here; null if the attendance is not recorded.
                             * @example checked-in
                             */
                            Attendance: ("checked-in" | "no-show") | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `booking-not-changeable`: The status of the booking does not allow this change. `Status` is the current status.
             *
             *     `cutoff-passed`: The product allows cancellations only until `CancelBy`, and this time has passed.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Address to which events are sent by POST: an https address of the public internet.
                     * @example https://partner.example/hooks/activities
                     */
                    URL: string;
                    /**
                     * @description Types of events, families such as `booking.*`, or `*` for all.
                     * @example [
                     *       "booking.*",
                     *       "availability.changed"
                     *     ]
                     */
                    EventTypes: string[];
                    /**
                     * @description Description of the endpoint’s purpose, in one line.
                     * @example Prices and places of our web shop
                     */
                    Description?: string;
                    /**
                     * @description `thin`: the event, and the ids of its subject. `full`: also the booking, product or timeslots as they are at the time of sending.
                     * @example full
                     * @enum {unknown}
                     */
                    Body?: "thin" | "full";
                    /**
                     * Format: email
                     * @description Recipient of an e-mail when the service pauses the endpoint, instead of the owners of the account.
                     * @example tech@partner.example
                     */
                    Email?: string;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnMadeWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                            /**
                             * @description Signs deliveries by the Standard Webhooks specification. Shown only in this response; null in a replayed response if the secret was deleted meanwhile.
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
                             */
                            Secret: string | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `account-limit-reached`: The account, its partner or its user has the maximum number of these objects. `Limit` is that number. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Address to which events are sent by POST: an https address of the public internet.
                     * @example https://partner.example/hooks/activities
                     */
                    URL?: string;
                    /**
                     * @description Types of events, families such as `booking.*`, or `*` for all.
                     * @example [
                     *       "booking.*",
                     *       "availability.changed"
                     *     ]
                     */
                    EventTypes?: string[];
                    /**
                     * @description Description of the endpoint’s purpose, in one line.
                     * @example Prices and places of our web shop
                     */
                    Description?: string;
                    /**
                     * @description `thin`: the event, and the ids of its subject. `full`: also the booking, product or timeslots as they are at the time of sending.
                     * @example full
                     * @enum {unknown}
                     */
                    Body?: "thin" | "full";
                    /**
                     * Format: email
                     * @description Recipient of an e-mail when the service pauses the endpoint, instead of the owners of the account.
                     * @example tech@partner.example
                     */
                    Email?: string;
                    /**
                     * @description The field to remove: `Email`.
                     * @example [
                     *       "Email"
                     *     ]
                     */
                    Unset?: "Email"[];
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOwnWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** MadeWebhookSecret */
                        data: {
                            /** @example 12 */
                            SecretID: number;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * @description Signs deliveries by the Standard Webhooks specification. Shown only in this response; null in a replayed response if the secret was deleted meanwhile.
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
                             */
                            Secret: string | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `webhook-secrets-full`: The webhook endpoint has two secrets, the maximum. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteOwnWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
                /**
                 * @description Identifier of the secret.
                 * @example 12
                 */
                SecretID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** OwnWebhookEndpoint */
                        data: {
                            /** @example 7 */
                            EndpointID: number;
                            /**
                             * @description Address to which events are sent by POST: an https address of the public internet.
                             * @example https://partner.example/hooks/activities
                             */
                            URL: string;
                            /**
                             * @description Types of events, families such as `booking.*`, or `*` for all.
                             * @example [
                             *       "booking.*",
                             *       "availability.changed"
                             *     ]
                             */
                            EventTypes: string[];
                            /**
                             * @description Description of the endpoint’s purpose, in one line.
                             * @example Prices and places of our web shop
                             */
                            Description: string;
                            /**
                             * @description As requested; `octo` for an endpoint that was made through OCTO.
                             * @example full
                             * @enum {unknown}
                             */
                            Body: "thin" | "full" | "octo";
                            /**
                             * @description Recipient of an e-mail when the service pauses the endpoint; null for the owners of the account.
                             * @example tech@partner.example
                             */
                            Email: string | null;
                            /**
                             * @example active
                             * @enum {unknown}
                             */
                            Status: "active" | "paused";
                            /**
                             * @description `by-hand`; `gone`: it responded 410; `failing`: nothing was delivered for three days. Null while it is active.
                             * @example null
                             */
                            PauseReason: ("by-hand" | "gone" | "failing") | null;
                            /** @description Since when it is paused. */
                            PausedAt: string | null;
                            /**
                             * @description The number of the last event that was processed for the endpoint. Later events wait.
                             * @example 5120
                             */
                            Position: number;
                            /**
                             * @description The number of the last event in the log.
                             * @example 5123
                             */
                            LogEnd: number;
                            /**
                             * @description Deliveries that are neither delivered nor set aside. From 998 on, later events wait in the log.
                             * @example 2
                             */
                            Unfinished: number;
                            /**
                             * @description Deliveries of the last 30 days that are no longer tried, because they failed for three days or their event has expired.
                             * @example 0
                             */
                            SetAside: number;
                            /** @description Since when all tries have failed; null after a success. */
                            FailingSince: string | null;
                            /** @description When the last delivery succeeded. */
                            LastDeliveredAt: string | null;
                            /** @description By SecretID, without the secrets themselves. */
                            Secrets: {
                                /** @example 12 */
                                SecretID: number;
                                /**
                                 * Format: date-time
                                 * @example 2027-06-11T10:00:00.000Z
                                 */
                                CreatedAt: string;
                            }[];
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            UpdatedAt: string;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `webhook-secret-last`: The webhook endpoint has only this secret, and needs one to sign deliveries. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only deliveries with this status.
                 * @example failed
                 */
                Status?: "pending" | "delivered" | "failed";
                /**
                 * @description The maximum number of items in one response; 100 by default.
                 * @example 100
                 */
                Limit?: number;
                /**
                 * @description From the `Link: rel="next"` of the previous response.
                 * @example WzEyXQ
                 */
                Cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @example 88121 */
                            DeliveryID: number;
                            /**
                             * @description Its `webhook-id`, the same in every try and every replay of an event.
                             * @example evt_60403072591354_5120
                             */
                            MessageID: string;
                            /**
                             * @description The type of event.
                             * @example booking.confirmed
                             */
                            Type: string;
                            EventNumber: number | null;
                            /**
                             * @description `pending` is tried for three days; `failed` was set aside, because it failed for three days or its event has expired, and is no longer tried.
                             * @example delivered
                             * @enum {unknown}
                             */
                            Status: "pending" | "delivered" | "failed";
                            /**
                             * @description How many times it was tried.
                             * @example 1
                             */
                            Tries: number;
                            FirstTriedAt: string | null;
                            NextTryAt: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            FinishedAt: string | null;
                            HTTPStatus: number | null;
                            DurationMs: number | null;
                            Answer: string | null;
                            Fault: string | null;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** WebhookDelivery */
                        data: {
                            /** @example 88121 */
                            DeliveryID: number;
                            /**
                             * @description Its `webhook-id`, the same in every try and every replay of an event.
                             * @example evt_60403072591354_5120
                             */
                            MessageID: string;
                            /**
                             * @description The type of event.
                             * @example booking.confirmed
                             */
                            Type: string;
                            EventNumber: number | null;
                            /**
                             * @description `pending` is tried for three days; `failed` was set aside, because it failed for three days or its event has expired, and is no longer tried.
                             * @example delivered
                             * @enum {unknown}
                             */
                            Status: "pending" | "delivered" | "failed";
                            /**
                             * @description How many times it was tried.
                             * @example 1
                             */
                            Tries: number;
                            FirstTriedAt: string | null;
                            NextTryAt: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            FinishedAt: string | null;
                            HTTPStatus: number | null;
                            DurationMs: number | null;
                            Answer: string | null;
                            Fault: string | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `webhook-paused`: The webhook endpoint is paused. It gets nothing until it is resumed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayOwnWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
            };
            cookie?: never;
        };
        /** @description Either `FromNumber` or `FromTime`. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The first event that is sent again.
                     * @example 5000
                     */
                    FromNumber?: number;
                    /**
                     * Format: date-time
                     * @description Instant from which events are sent again.
                     * @example 2027-06-11T10:00:00Z
                     */
                    FromTime?: string;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** WebhookReplayed */
                        data: {
                            /**
                             * @description The number of events between the new and the old position of the endpoint. It gets those of its `EventTypes`.
                             * @example 120
                             */
                            Events: number;
                            /**
                             * @description The new position of the endpoint.
                             * @example 4999
                             */
                            Position: number;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    repeatOwnWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path: {
                /**
                 * @description Identifier of the endpoint.
                 * @example 7
                 */
                EndpointID: string;
                /**
                 * @description Identifier of the delivery.
                 * @example 88121
                 */
                DeliveryID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** WebhookDelivery */
                        data: {
                            /** @example 88121 */
                            DeliveryID: number;
                            /**
                             * @description Its `webhook-id`, the same in every try and every replay of an event.
                             * @example evt_60403072591354_5120
                             */
                            MessageID: string;
                            /**
                             * @description The type of event.
                             * @example booking.confirmed
                             */
                            Type: string;
                            EventNumber: number | null;
                            /**
                             * @description `pending` is tried for three days; `failed` was set aside, because it failed for three days or its event has expired, and is no longer tried.
                             * @example delivered
                             * @enum {unknown}
                             */
                            Status: "pending" | "delivered" | "failed";
                            /**
                             * @description How many times it was tried.
                             * @example 1
                             */
                            Tries: number;
                            FirstTriedAt: string | null;
                            NextTryAt: string | null;
                            /**
                             * Format: date-time
                             * @example 2027-06-11T10:00:00.000Z
                             */
                            CreatedAt: string;
                            FinishedAt: string | null;
                            HTTPStatus: number | null;
                            DurationMs: number | null;
                            Answer: string | null;
                            Fault: string | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `webhook-paused`: The webhook endpoint is paused. It gets nothing until it is resumed. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    summarizeUsage: {
        parameters: {
            query: {
                /**
                 * @description First day, in the account’s time zone.
                 * @example 2027-06-01
                 */
                from: string;
                /**
                 * @description Last day, included.
                 * @example 2027-06-30
                 */
                to: string;
                /**
                 * @description Only these meters; can be given several times.
                 * @example [
                 *       "api-calls"
                 *     ]
                 */
                meter?: string[];
                /**
                 * @description `day` adds the sums of each day to each meter, for at most 731 days and 500000 such sums (one for each meter and day with entries).
                 * @example day
                 */
                granularity?: "day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    /** @description How many of the account’s accepted entries are not counted: 0 if all are counted, a lower bound if very many entries are queued, `unknown` if the queue cannot be reached. It includes entries that could not be stored, until the operator resolves them. */
                    "Usage-Pending"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** UsageSummary */
                        data: {
                            Period: {
                                /**
                                 * Format: date
                                 * @description As requested.
                                 * @example 2027-06-01
                                 */
                                From: string;
                                /**
                                 * Format: date
                                 * @description As requested.
                                 * @example 2027-06-30
                                 */
                                To: string;
                                /**
                                 * @description First second of `From`, Unix seconds.
                                 * @example 1811890800
                                 */
                                FromTimestamp: number;
                                /**
                                 * @description Last second of `To`, Unix seconds.
                                 * @example 1814482799
                                 */
                                ToTimestamp: number;
                            };
                            Totals: {
                                /**
                                 * @description Exact sum over all meters, as the nearest double.
                                 * @example 1240.5
                                 */
                                Usage: number;
                                /**
                                 * @description Number of entries over all meters.
                                 * @example 311
                                 */
                                Events: number;
                            };
                            /** @description Largest TotalUsage first, then by name. */
                            Meters: {
                                /**
                                 * @description Name of the meter: 1 to 255 characters, without spaces around it.
                                 * @example api-calls
                                 */
                                Meter: string;
                                /**
                                 * @description Exact sum, as the nearest double.
                                 * @example 1240.5
                                 */
                                TotalUsage: number;
                                /**
                                 * @description Number of entries.
                                 * @example 311
                                 */
                                EventCount: number;
                                /** @description With `granularity=day`: the days that have entries, earliest first. */
                                Days?: {
                                    /**
                                     * Format: date
                                     * @description Local day.
                                     * @example 2027-06-12
                                     */
                                    Day: string;
                                    /**
                                     * @description Exact sum, as the nearest double.
                                     * @example 1240.5
                                     */
                                    TotalUsage: number;
                                    /**
                                     * @description Number of entries.
                                     * @example 311
                                     */
                                    EventCount: number;
                                }[];
                            }[];
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recordUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Name of the meter: 1 to 255 characters, without spaces around it.
                     * @example api-calls
                     */
                    Meter: string;
                    /**
                     * @description How much was used: more than 0, less than 10^15, with at most 20 decimals.
                     * @example 2.5
                     */
                    Usage: number;
                    /**
                     * @description Any text to store with the entry, often JSON; at most 8 KiB of UTF-8.
                     * @example {"Route":"/search"}
                     */
                    ExtraInfo?: string;
                    /**
                     * @description When the usage occurred, in Unix seconds; the time of the request by default.
                     * @example 1812800400
                     */
                    OccurredAt?: number;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** AcceptedUsage */
                        data: {
                            /**
                             * @description Identifier of the entry.
                             * @example 4200017
                             */
                            ID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description As it was sent.
                             * @example 2.5
                             */
                            Usage: number;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recordUsageBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    Entries: {
                        /**
                         * @description Name of the meter: 1 to 255 characters, without spaces around it.
                         * @example api-calls
                         */
                        Meter: string;
                        /**
                         * @description How much was used: more than 0, less than 10^15, with at most 20 decimals.
                         * @example 2.5
                         */
                        Usage: number;
                        /**
                         * @description Any text to store with the entry, often JSON; at most 8 KiB of UTF-8.
                         * @example {"Route":"/search"}
                         */
                        ExtraInfo?: string;
                        /**
                         * @description When the usage occurred, in Unix seconds; the time of the request by default.
                         * @example 1812800400
                         */
                        OccurredAt?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Identifier of the entry.
                             * @example 4200017
                             */
                            ID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description As it was sent.
                             * @example 2.5
                             */
                            Usage: number;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    voidUsageEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the entry.
                 * @example 4200017
                 */
                ID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Why the entry must not count: 1 to 1000 characters.
                     * @example Recorded twice by the importer.
                     */
                    Reason: string;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** UsageEntry */
                        data: {
                            /**
                             * @description Identifier of the entry.
                             * @example 4200017
                             */
                            ID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description As it was sent.
                             * @example 2.5
                             */
                            Usage: number;
                            /** @example {"Route":"/search"} */
                            ExtraInfo: string | null;
                            /**
                             * Format: date
                             * @description Local day of `OccurredAt`.
                             * @example 2027-06-12
                             */
                            Day: string;
                            /**
                             * @description When it was used, Unix seconds.
                             * @example 1812800400
                             */
                            OccurredAt: number;
                            /**
                             * @description When the service accepted it, Unix seconds.
                             * @example 1812800401
                             */
                            AcceptedAt: number;
                            /**
                             * @description When it was voided, Unix seconds. From then on, no total counts it.
                             * @example null
                             */
                            VoidedAt: number | null;
                            /** @example null */
                            VoidReason: string | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsageThresholds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Identifier of the threshold.
                             * @example 12
                             */
                            ThresholdID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description The period whose total is compared: each `day` or each `month` in the account’s time zone, or all time (`total`).
                             * @example month
                             * @enum {unknown}
                             */
                            Period: "day" | "month" | "total";
                            /**
                             * @description The total at which the threshold is crossed: more than 0, less than 10^18, with at most 20 decimals.
                             * @example 100000
                             */
                            Threshold: number;
                            /**
                             * @description When it was set, Unix seconds.
                             * @example 1812800400
                             */
                            CreatedAt: number;
                            /**
                             * @description When a total last reached the threshold, Unix seconds; null if no total has reached it.
                             * @example null
                             */
                            LastCrossedAt: number | null;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setUsageThreshold: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a retry safe: for 24 hours after a success, the same key with the same body gets the same response, with `Idempotency-Replayed: true`.
                 * @example 5f0c1f6e-6d0f-4b52-9d5e-0c8e6f2f7d11
                 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Name of the meter: 1 to 255 characters, without spaces around it.
                     * @example api-calls
                     */
                    Meter: string;
                    /**
                     * @description The period whose total is compared: each `day` or each `month` in the account’s time zone, or all time (`total`).
                     * @example month
                     * @enum {unknown}
                     */
                    Period: "day" | "month" | "total";
                    /**
                     * @description The total at which the threshold is crossed: more than 0, less than 10^18, with at most 20 decimals.
                     * @example 100000
                     */
                    Threshold: number;
                };
            };
        };
        responses: {
            /** @description The response is in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** UsageThreshold */
                        data: {
                            /**
                             * @description Identifier of the threshold.
                             * @example 12
                             */
                            ThresholdID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description The period whose total is compared: each `day` or each `month` in the account’s time zone, or all time (`total`).
                             * @example month
                             * @enum {unknown}
                             */
                            Period: "day" | "month" | "total";
                            /**
                             * @description The total at which the threshold is crossed: more than 0, less than 10^18, with at most 20 decimals.
                             * @example 100000
                             */
                            Threshold: number;
                            /**
                             * @description When it was set, Unix seconds.
                             * @example 1812800400
                             */
                            CreatedAt: number;
                            /**
                             * @description When a total last reached the threshold, Unix seconds; null if no total has reached it.
                             * @example null
                             */
                            LastCrossedAt: number | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `threshold-exists`: The account already has this threshold for this meter and period, with the id `ThresholdID`.
             *
             *     `account-limit-reached`: The account, its partner or its user has the maximum number of these objects. `Limit` is that number.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them.
             *
             *     `idempotency-key-reused`: This Idempotency-Key was used for a different request within the last 24 hours.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeUsageThreshold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the threshold.
                 * @example 12
                 */
                ThresholdID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** UsageThreshold */
                        data: {
                            /**
                             * @description Identifier of the threshold.
                             * @example 12
                             */
                            ThresholdID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description The period whose total is compared: each `day` or each `month` in the account’s time zone, or all time (`total`).
                             * @example month
                             * @enum {unknown}
                             */
                            Period: "day" | "month" | "total";
                            /**
                             * @description The total at which the threshold is crossed: more than 0, less than 10^18, with at most 20 decimals.
                             * @example 100000
                             */
                            Threshold: number;
                            /**
                             * @description When it was set, Unix seconds.
                             * @example 1812800400
                             */
                            CreatedAt: number;
                            /**
                             * @description When a total last reached the threshold, Unix seconds; null if no total has reached it.
                             * @example null
                             */
                            LastCrossedAt: number | null;
                        };
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload-too-large`: The body is larger, or has more values, than this operation accepts. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsageEntries: {
        parameters: {
            query: {
                /**
                 * @description First day, in the account’s time zone.
                 * @example 2027-06-01
                 */
                from: string;
                /**
                 * @description Last day, included.
                 * @example 2027-06-30
                 */
                to: string;
                /**
                 * @description Only these meters; can be given several times.
                 * @example [
                 *       "api-calls"
                 *     ]
                 */
                meter?: string[];
                /**
                 * @description The most entries in one response; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description From the `Link: rel="next"` of the response before.
                 * @example WyIyMDI3LTA2LTEyIiwiYXBpLWNhbGxzIiw0MjAwMDE3XQ
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is in `data`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * @description Identifier of the entry.
                             * @example 4200017
                             */
                            ID: number;
                            /**
                             * @description Name of the meter: 1 to 255 characters, without spaces around it.
                             * @example api-calls
                             */
                            Meter: string;
                            /**
                             * @description As it was sent.
                             * @example 2.5
                             */
                            Usage: number;
                            /** @example {"Route":"/search"} */
                            ExtraInfo: string | null;
                            /**
                             * Format: date
                             * @description Local day of `OccurredAt`.
                             * @example 2027-06-12
                             */
                            Day: string;
                            /**
                             * @description When it was used, Unix seconds.
                             * @example 1812800400
                             */
                            OccurredAt: number;
                            /**
                             * @description When the service accepted it, Unix seconds.
                             * @example 1812800401
                             */
                            AcceptedAt: number;
                            /**
                             * @description When it was voided, Unix seconds. From then on, no total counts it.
                             * @example null
                             */
                            VoidedAt: number | null;
                            /** @example null */
                            VoidReason: string | null;
                        }[];
                    };
                };
            };
            /** @description `malformed-request`: The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthenticated`: There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked. */
            401: {
                headers: {
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The key is valid but does not have the scope that this operation needs. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation`: Parameters or body fields are missing or break a rule. `errors` names each of them. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: The key, its account or a webhook endpoint has reached a limit. `detail` names the limit. */
            429: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    /** @description The limit of the key: `q` requests in `w` seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description The remaining limit: `r` requests for the next `t` seconds. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: The service failed unexpectedly. Its log has the cause under the Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service, or a store that it needs, cannot respond at the moment. */
            503: {
                headers: {
                    /** @description Seconds. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
