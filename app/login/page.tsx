/** The sign-in page: static, small, no console code. */
import { LoginRoot } from '@/components/login/LoginRoot'

export const dynamic = 'force-static'

export default function LoginPage() {
  return <LoginRoot />
}
