/**
 * A real OpenID provider: `bun provider-process.mjs PORT`. Whoever signs in as `ada` is ada@example.test; a name with an @ is
 * its own address. Names that begin with `unverified` have no verified address, those that begin with `admin` are in a group.
 */
import { Provider } from "oidc-provider";

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
	clients: [
		{
			client_id: "tollgate",
			client_secret: "a-secret-of-the-tests-only-0123456789",
			redirect_uris: ["http://localhost/any"],
			grant_types: ["authorization_code"],
			response_types: ["code"],
		},
	],
	pkce: { required: () => true },
	claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
	features: { devInteractions: { enabled: true } },
	cookies: { keys: ["tests only"] },
	findAccount: (_context, sub) => ({
		accountId: sub,
		claims: () => ({
			sub,
			email: sub.includes("@") ? sub : `${sub}@example.test`,
			email_verified: !sub.startsWith("unverified"),
			name: sub.toUpperCase(),
			groups: sub.startsWith("admin") ? ["billing-admins"] : ["staff"],
		}),
	}),
});
// Each world makes its own identity provider, whose id stands in the path.
provider.Client.prototype.redirectUriAllowed = (uri) =>
	/^http:\/\/[\w.:]+\/api\/v1\/auth\/oidc\/[\w-]+\/callback$/.test(uri);
provider.listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
