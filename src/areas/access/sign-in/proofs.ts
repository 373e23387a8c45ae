import { assertContentType, parseJson } from "../../../http/body";
import { bodySizeOf, valuesMaxOf } from "../../../http/body-sizes";
import { networkOf, type Peers } from "../../../http/client-address";
import { fail } from "../../../kernel/errors";
import type { Services } from "../../../server/context";
import type { UserRow } from "../table";
import { wrongCode } from "./operations.second-factor";
import { type Origin, SignIns } from "./sign-ins";

/** Verified where there is no such user, or none with a password, so that the time does not tell who has one. It proves nothing. */
export const decoyHash =
	"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$7pBqCZ7kVJqK4rWJ1N2l1lSkQnV8r6qkq0cQ5m8uZ0Y";

export interface Proof {
	readonly email: string;
	/** Undefined where nobody has this address. */
	readonly user: UserRow | undefined;
	readonly password: string;
	/** What must be right too: a code. Asked for once the password is right. */
	readonly also?: () => boolean;
}

/** A request that proves who somebody is, and the server that received it. */
interface Sent {
	readonly request: Request;
	readonly server: Peers | null;
}

/** How people prove who they are: by passwords and codes, few at once, and with a pause for who sends wrong ones. */
export class Proofs {
	readonly #signIns: SignIns;
	readonly #services: Services;

	constructor(services: Services) {
		this.#services = services;
		this.#signIns = new SignIns(services.limits.clockMs);
	}

	/** Unauthenticated; RateLimitExceeded after too many wrong ones. */
	async assertProved(sent: Sent, { email, user, password, also = () => true }: Proof): Promise<void> {
		const hash = user?.passwordHash ?? null;
		const isRight = async () =>
			(await Bun.password.verify(password, hash ?? decoyHash).catch(() => false)) && hash !== null && also();
		if (!(await this.#attempt(sent, email, isRight)))
			throw fail("Unauthenticated", "The email address, the password or the code is wrong.");
	}

	/** The same for a code alone, of who is signed in. */
	async assertRightCode(sent: Sent, email: string, isRight: () => boolean): Promise<void> {
		if (!(await this.#attempt(sent, email, async () => isRight()))) throw wrongCode();
	}

	/** A person has signed in with all that it takes: the network counts as known for the account from then on. */
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

	/** How a route of nobody in particular reads its body. */
	readonly readBody = async (request: Request, route: string): Promise<unknown> => {
		const size = bodySizeOf(request.method, route);
		const text = await this.#services.bodies.text(request, size);
		assertContentType(request, text);
		return parseJson(text, valuesMaxOf[size]);
	};
}
