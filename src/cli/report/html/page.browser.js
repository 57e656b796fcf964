// Comfort for those who run scripts; without it everything is there and can be read.
const root = document.documentElement
const theme = document.getElementById('theme')
const tools = document.querySelector('.tools')
const filter = document.getElementById('filter')
const onlyErrors = document.getElementById('only-errors')
const openAll = document.getElementById('open-all')
const shown = document.getElementById('shown')
const sessions = [...document.querySelectorAll('.session')]

theme.hidden = false
tools.hidden = sessions.length === 0

const isDark = () =>
  root.dataset.theme === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : root.dataset.theme === 'dark'
const nameTheme = () => {
  theme.textContent = isDark() ? 'Light' : 'Dark'
}
theme.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  nameTheme()
})
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', nameTheme)
nameTheme()

const showMatching = () => {
  const text = filter.value.trim().toLowerCase()
  for (const session of sessions) {
    const isMatch = session.textContent.toLowerCase().includes(text)
    session.hidden = !isMatch || (onlyErrors.checked && !session.classList.contains('wrong'))
  }
  const count = sessions.filter((session) => !session.hidden).length
  shown.value = count === sessions.length ? '' : `${count} of ${sessions.length} sessions`
}
filter.addEventListener('input', showMatching)
onlyErrors.addEventListener('change', showMatching)
tools.addEventListener('submit', (event) => event.preventDefault())
// Browsers restore what was typed when a page is loaded again.
showMatching()

openAll.addEventListener('click', () => {
  const isOpen = openAll.getAttribute('aria-pressed') === 'true'
  for (const details of document.querySelectorAll('details')) details.open = !isOpen
  openAll.setAttribute('aria-pressed', String(!isOpen))
  openAll.textContent = isOpen ? 'Open all differences' : 'Close all differences'
})
