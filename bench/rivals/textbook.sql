\set slot random(:first, :last)
begin;
select capacity - booked as free from rival_timeslots where id = :slot for update \gset
\if :free > 0
update rival_timeslots set booked = booked + 1 where id = :slot;
insert into rival_bookings (timeslot_id, reference, participants, first_name, last_name, email)
values (:slot, gen_random_uuid(), 1, 'Ada', 'Lovelace', 'ada@example.com');
\endif
commit;
