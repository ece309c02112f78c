/** The mark: an agent, a wait, a person. `long`: of the sign-in page, two agents and a longer wait. */
export function Logo({ isLong = false }: { isLong?: boolean }) {
  return isLong ? (
    <svg viewBox="0 0 148 32" className="h-8 w-37" aria-hidden="true">
      <rect x="0" y="2" width="28" height="28" rx="7" className="fill-agent-b" />
      <rect x="36" y="2" width="28" height="28" rx="7" className="fill-accent" />
      <path d="M68 16h46" className="stroke-wait-line" strokeWidth="2.5" strokeDasharray="6 5" />
      <circle cx="132" cy="16" r="14" className="fill-human" />
    </svg>
  ) : (
    <svg viewBox="0 0 28 20" className="h-5 w-7 shrink-0" aria-hidden="true">
      <rect x="1" y="4" width="12" height="12" rx="3" className="fill-accent" />
      <path d="M14.5 10h3" className="stroke-wait-line" strokeWidth="2" strokeDasharray="2 1.6" />
      <circle cx="22" cy="10" r="5" className="fill-human" />
    </svg>
  )
}
