import { keysFile } from "./bootstrap";
import type { Server } from "./server/start";

/** Formats the output of a start: the address and, at the first start only, the keys and three commands that work as pasted. */
export const banner = ({ url, firstKeys }: Server, folder: string, demo: boolean): string => {
	if (!firstKeys) return `Tollgate runs at ${url}  (documentation: ${url}/docs, console: ${url}/console)\n`;
	const { fullAccessKey, publishableKey, person } = firstKeys;
	const header = `-H 'X-API-KEY: ${fullAccessKey}'`;
	const examples = demo
		? [
				`curl ${header} '${url}/api/v1/customers?limit=3'`,
				`curl ${header} '${url}/api/v1/customers/customer-acme/entitlements/check?featureId=feature-api-calls'`,
				`curl ${header} -H 'Content-Type: application/json' -d '{"events":[{"eventName":"api_call","customerId":"customer-acme","idempotencyKey":"try-1"}]}' ${url}/api/v1/events`,
			]
		: [
				`curl ${header} -H 'Content-Type: application/json' -d '{"id":"product-one","displayName":"My product"}' ${url}/api/v1/products`,
				`curl ${header} -H 'Content-Type: application/json' -d '{"id":"customer-one","name":"First customer"}' ${url}/api/v1/customers`,
				`curl ${header} '${url}/api/v1/customers/customer-one/entitlements'`,
			];
	return [
		"",
		`Tollgate runs at   ${url}`,
		`Documentation      ${url}/docs`,
		`Full-access key    ${fullAccessKey}`,
		`Publishable key    ${publishableKey}`,
		"",
		`The keys are shown this once; they are also in ${keysFile(folder)}. Try:`,
		"",
		...examples.flatMap((example) => [`  ${example}`, ""]),
		...(person
			? [`Sign in to the console as ${person.email} with the password ${person.password}`]
			: ["Create the first user:  tollgate users create --email you@example.com --role OWNER"]),
		"",
		`The console is at ${url}/console`,
		"",
	].join("\n");
};
