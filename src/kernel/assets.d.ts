// Files that are embedded in the executable by `import … with { type }`.
declare module "*.sql" {
	const text: string;
	export default text;
}
declare module "*.ttf" {
	const path: string;
	export default path;
}
declare module "swagger-ui-dist/swagger-ui-bundle.js" {
	const path: string;
	export default path;
}
declare module "*.css" {
	const path: string;
	export default path;
}
declare module "*.md" {
	const text: string;
	export default text;
}
