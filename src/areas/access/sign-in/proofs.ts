import { assertContentType, parseJson } from "../../../http/body";
import { bodySizeOf, valuesMaxOf } from "../../../http/body-sizes";
import { networkOf, type Peers } from "../../../http/client-address";
import { fail } from "../../../kernel/errors";
import type { Services } from "../../../server/context";
import type { UserRow } from "../table";
import { wrongCode } from "./operations.second-factor";
import { type Origin, SignIns } from "./sign-ins";

/** Verified for unknown users and users without a password, so the response time does not reveal which addresses have one. */
export const decoyHash =
	"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$7pBqCZ7kVJqK4rWJ1N2l1lSkQnV8r6qkq0cQ5m8uZ0Y";

export interface Proof {
	readonly email: string;
	/** Undefined if no user has this address. */
	readonly user: UserRow | undefined;
	readonly password: string;
	/** A further condition, such as a code. It is checked after the password. */
	readonly also?: () => boolean;
}

/** A request with credentials, and the server that received it. */
interface Sent {
	readonly request: Request;
	readonly server: Peers | null;
}

/** Verifies passwords and codes, a few at a time, with delays after wrong ones. */
export class Proofs {
	readonly #signIns: SignIns;
	readonly #services: Services;

	constructor(services: Services) {
		this.#services = services;
		this.#signIns = new SignIns(services.limits.clockMs);
	}

	/** Throws Unauthenticated, or RateLimitExceeded after too many wrong attempts. */
	async assertProved(sent: Sent, { email, user, password, also = () => true }: Proof): Promise<void> {
		const hash = user?.passwordHash ?? null;
		const isRight = async () =>
			(await Bun.password.verify(password, hash ?? decoyHash).catch(() => false)) && hash !== null && also();
		if (!(await this.#attempt(sent, email, isRight)))
			throw fail("Unauthenticated", "The email address, the password or the code is wrong.");
	}

	/** The same for a code alone, of a signed-in user. */
	async assertRightCode(sent: Sent, email: string, isRight: () => boolean): Promise<void> {
		if (!(await this.#attempt(sent, email, async () => isRight()))) throw wrongCode();
	}

	/** Records a complete sign-in, so the network is known for the account. */
	noteSignIn(sent: Sent, email: string): void {
		this.#signIns.noteSignIn(this.#originOf(sent, email));
	}

	#attempt(sent: Sent, email: string, isRight: () => Promise<boolean>): Promise<boolean> {
		return this.#signIns.attempt(this.#originOf(sent, email), isRight);
	}

	#originOf({ request, server }: Sent, email: string): Origin {
		return { email: email.toLowerCase(), network: networkOf(this.#services.senders.of(request, server)) };
	}

	/** argon2id. */
	hash(password: string): Promise<string> {
		return this.#signIns.oneAfterAnother(() => Bun.password.hash(password, "argon2id"));
	}

	/** Reads the body of a route that does not require authentication. */
	readonly readBody = async (request: Request, route: string): Promise<unknown> => {
		const size = bodySizeOf(request.method, route);
		const text = await this.#services.bodies.text(request, size);
		assertContentType(request, text);
		return parseJson(text, valuesMaxOf[size]);
	};
}
