/** All tests of security in one process: loading the service takes longer than most of them. */
import './gate.ts'
import './routes.ts'
import './names.ts'
import './limits.ts'
import './generated-limits.ts'
import './attacks.ts'
import './tls.ts'
import './client-certificates.ts'
