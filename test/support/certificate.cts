/**
 * A self-signed certificate for 127.0.0.1 and its key, made for the tests and used nowhere else:
 * nobody trusts it, which is the point.
 */
export const selfSigned = {
	key: [
		'-----BEGIN PRIVATE KEY-----',
		'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSujEGh9BL4COMsHp',
		'/SyEAomonYGAkGGMhgifj8r6+XShRANCAATvs7mapXT1TijZcb2pwBQM06DvYET2',
		'o6paE8z/dlTbdCjFHXevQR9KhL0B25XBp88ZsVQ9nJcRWhLcHwLAaEww',
		'-----END PRIVATE KEY-----',
	].join('\n'),
	cert: [
		'-----BEGIN CERTIFICATE-----',
		'MIIBkDCCATagAwIBAgIUbfuQrLWLkiBRscj1MjRl5l8AhkAwCgYIKoZIzj0EAwIw',
		'FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTAyMTA0M1oYDzIxMjYxMDI4',
		'MDIxMDQzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO',
		'PQMBBwNCAATvs7mapXT1TijZcb2pwBQM06DvYET2o6paE8z/dlTbdCjFHXevQR9K',
		'hL0B25XBp88ZsVQ9nJcRWhLcHwLAaEwwo2QwYjAdBgNVHQ4EFgQULzWdo4R6Ts/P',
		'efSARDo7PyfxHLYwHwYDVR0jBBgwFoAULzWdo4R6Ts/PefSARDo7PyfxHLYwDwYD',
		'VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC',
		'IQC6Y1ny5EWxj9wvMqop45oV6jMVEoeB3FE83W4t2jyDUgIgJcUNT9TS8udYTPCl',
		'dSFJylmGCchTC0425yhAi+NQ7UM=',
		'-----END CERTIFICATE-----',
	].join('\n'),
};
