// tokens.mjs - tokens of an application that has users of its own, for plyd (docs/identity.md).
//
//   node tokens.mjs key > key.pem                              a new key, which stays secret
//   node tokens.mjs jwks key.pem > jwks.json                   its public half, for --jwks
//   node tokens.mjs token key.pem ISSUER AUDIENCE SUB [NAME]   a token that is good for five minutes
import {createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign} from 'node:crypto'
import {readFileSync} from 'node:fs'

const base64url = value => Buffer.from(JSON.stringify(value)).toString('base64url')

// The key as others may know it. Its id is a hash of it (RFC 7638), so another key has another one.
function publicJwk(key) {
    const {crv, kty, x} = createPublicKey(key).export({format: 'jwk'})
    const kid = createHash('sha256').update(JSON.stringify({crv, kty, x})).digest('base64url')
    return {kty, crv, x, kid, use: 'sig', alg: 'EdDSA'}
}

export function makeToken(key, {issuer, audience, subject, name, seconds = 300}) {
    const header = {alg: 'EdDSA', typ: 'JWT', kid: publicJwk(key).kid}
    const now = Math.floor(Date.now() / 1000)
    const claims = {iss: issuer, aud: audience, sub: subject, name, iat: now, exp: now + seconds}
    const text = `${base64url(header)}.${base64url(claims)}`
    return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

const [command, file, issuer, audience, subject, name] = process.argv.slice(2)
const key = () => createPrivateKey(readFileSync(file))

if (command === 'key')
    process.stdout.write(generateKeyPairSync('ed25519').privateKey.export({type: 'pkcs8', format: 'pem'}))
else if (command === 'jwks')
    console.log(JSON.stringify({keys: [publicJwk(key())]}))
else if (command === 'token')
    console.log(makeToken(key(), {issuer, audience, subject, name}))
