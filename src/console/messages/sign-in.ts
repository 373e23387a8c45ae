import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		title: "Sign in",
		email: "Email",
		password: "Password",
		action: "Sign in",
		code: "Code from your app",
		recovery: "Recovery code",
		useRecovery: "Use a recovery code",
		useApp: "Use the app",
		signInBy: "Sign in by {name}",
		first: "Nobody has an account yet? Whoever runs the server makes the first one:",
	},
	de: {
		title: "Anmelden",
		email: "E-Mail",
		password: "Passwort",
		action: "Anmelden",
		code: "Code aus deiner App",
		recovery: "Wiederherstellungscode",
		useRecovery: "Einen Wiederherstellungscode nehmen",
		useApp: "Die App nehmen",
		signInBy: "Mit {name} anmelden",
		first: "Noch kein Zugang? Wer den Server betreibt, legt den ersten an:",
	},
});
