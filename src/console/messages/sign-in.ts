import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		title: "Sign in",
		email: "Email",
		password: "Password",
		action: "Sign in",
		first: "Nobody has an account yet? Whoever runs the server makes the first one:",
	},
	de: {
		title: "Anmelden",
		email: "E-Mail",
		password: "Passwort",
		action: "Anmelden",
		first: "Noch kein Zugang? Wer den Server betreibt, legt den ersten an:",
	},
});
