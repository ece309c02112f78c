/** The sign-in page: static, without console code. */
import { LoginRoot } from '@/components/login/LoginRoot'

export const dynamic = 'force-static'

export default function LoginPage() {
  return <LoginRoot />
}
