// Written by the build (scripts/lib/packages.mjs): the packages that are here.
import '@/packages/rehearsal/register'
