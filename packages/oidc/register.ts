/** Adds the sign-in by OpenID Connect. */
import { register } from '@/server/register'
import { openCompanySignIn } from './companySignIn'
import { signInSection } from './section'

register({
  name: 'oidc',
  sections: {
    signIn: {
      schema: signInSection,
      variablesIn: ({ providers }) => providers.flatMap(({ clientSecretEnv }) => clientSecretEnv ?? []),
    },
  },
  companySignIn: openCompanySignIn,
})
