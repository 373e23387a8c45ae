/** A provider that signs whatever a test wants it to say, and fails as a test wants it to. */
export async function forger() {
	const keys = await newKeys();
	const others = await newKeys();
	const will: Will = {};
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: async (request): Promise<Response> => {
			const { pathname } = new URL(request.url);
			if (will.isPacked)
				return new Response(Bun.gzipSync(JSON.stringify(described())), { headers: { "content-encoding": "gzip" } });
			if (will.status) return new Response("no", { status: will.status });
			if (pathname === "/.well-known/openid-configuration") return Response.json({ ...described(), ...will.metadata });
			if (pathname === "/keys") return Response.json({ keys: [keys.published] });
			if (pathname === "/token") {
				if (will.error)
					return Response.json({ error: will.error }, { status: will.error === "invalid_client" ? 401 : 400 });
				const id_token = await signed((will.isForged ? others : keys).signing, { ...usual(), ...will.claims });
				return Response.json({ access_token: "any", token_type: "Bearer", id_token });
			}
			return new Response("unknown", { status: 404 });
		},
	});
	const issuer: string = `http://127.0.0.1:${server.port}`;
	const described = () => ({
		issuer,
		authorization_endpoint: `${issuer}/authorize`,
		token_endpoint: `${issuer}/token`,
		jwks_uri: `${issuer}/keys`,
		response_types_supported: ["code"],
		subject_types_supported: ["public"],
		id_token_signing_alg_values_supported: ["RS256"],
	});
	const seconds = () => Math.floor(Date.now() / 1000);
	const usual = () => ({
		iss: issuer,
		aud: "tollgate",
		sub: "ada",
		nonce: will.nonce,
		iat: seconds(),
		exp: seconds() + 300,
		email: "ada@example.test",
		email_verified: true,
	});
	return { issuer, will, seconds, stop: () => server.stop(true) };
}

export type Forger = Awaited<ReturnType<typeof forger>>;

interface Will {
	nonce?: string;
	claims?: Record<string, unknown>;
	metadata?: Record<string, unknown>;
	/** Answers everything so. */
	status?: number;
	/** The token endpoint's. */
	error?: string;
	/** Packs what it says of itself. */
	isPacked?: boolean;
	/** Signs by a key that is not published. */
	isForged?: boolean;
}

const algorithm = {
	name: "RSASSA-PKCS1-v1_5",
	hash: "SHA-256",
	modulusLength: 2048,
	publicExponent: new Uint8Array([1, 0, 1]),
};

async function newKeys() {
	const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
	const published = { ...(await crypto.subtle.exportKey("jwk", publicKey)), kid: "one", use: "sig", alg: "RS256" };
	return { signing: privateKey, published };
}

async function signed(key: CryptoKey, claims: unknown): Promise<string> {
	const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const text = `${part({ alg: "RS256", kid: "one" })}.${part(claims)}`;
	const signature = await crypto.subtle.sign(algorithm.name, key, Buffer.from(text));
	return `${text}.${Buffer.from(signature).toString("base64url")}`;
}
