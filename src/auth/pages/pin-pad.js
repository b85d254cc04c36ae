// Shows the pictures of the digits of a PIN. A tap adds a digit, and the last digit signs in.
const pad = document.querySelector('[data-pin-pad]')
const field = document.querySelector('input[name=pin]')
if (pad && field) {
  const marks = pad.querySelectorAll('.pin-marks span')
  const show = () => {
    for (const [index, mark] of marks.entries()) mark.classList.toggle('filled', index < field.value.length)
  }
  pad.hidden = false
  pad.addEventListener('click', ({ target }) => {
    const button = target.closest('button')
    if (!button) return
    field.value = button.value === '' ? '' : (field.value + button.value).slice(0, field.maxLength)
    show()
    if (field.value.length === field.maxLength) field.form.requestSubmit()
  })
  field.addEventListener('input', show)
  // After a refusal the browser may have kept the digits.
  field.value = ''
  show()
}
