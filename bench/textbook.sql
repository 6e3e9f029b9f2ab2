\set slot random(1, :slots)
begin;
select capacity - booked from textbook_timeslots where id = :slot for update;
update textbook_timeslots set booked = booked + 1 where id = :slot;
insert into textbook_bookings (timeslot_id, reference, participants, first_name, last_name, email)
values (:slot, gen_random_uuid(), 1, 'Ada', 'Lovelace', 'ada@example.com');
commit;
