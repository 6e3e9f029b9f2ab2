// A closure of many timeslots is done in parts: what a person would click, this does.
document.querySelector('form.go-on')?.requestSubmit()
