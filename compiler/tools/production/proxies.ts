/** Configurations of TLS proxies in front of a site. Texts only. */

// Body limits: four times the default of INGOT_UPLOAD_LIMIT, plus the default of INGOT_BODY_LIMIT.

export const NGINX = `# /etc/nginx/conf.d/@NAME@.conf
upstream @NAME@ {
  server 127.0.0.1:3000;
  keepalive 32;
}

# Opens WebSockets when the visitor asks for them. Other connections to the server stay open.
map $http_upgrade $connection_header {
  default upgrade;
  '' '';
}

server {
  listen 80;
  listen [::]:80;
  server_name @HOST@;
  return 301 https://$host$request_uri;
}

server {
  listen 443 ssl http2;
  listen [::]:443 ssl http2;
  server_name @HOST@;
  ssl_certificate /etc/letsencrypt/live/@HOST@/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/@HOST@/privkey.pem;
  add_header Strict-Transport-Security "max-age=31536000" always;

  # Four files of INGOT_UPLOAD_LIMIT and other fields. The server itself rejects larger bodies above its limits.
  client_max_body_size 98m;

  # Monitoring uses the server's own port.
  location ~ ^/_ingot/(up|ready|metrics)$ {
    return 404;
  }

  location / {
    proxy_pass http://@NAME@;
    proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_header;
    proxy_set_header Host $host;
    # Replaces the header, so that visitors cannot forge their address.
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $host;
    # Headers of this proxy are trusted, so visitors may not decide which requests are traced, or what is passed to other servers.
    proxy_set_header traceparent "";
    proxy_set_header tracestate "";
    proxy_set_header baggage "";
    # Streams large uploads.
    proxy_request_buffering off;
    proxy_read_timeout 120s;
  }
}
`

// Indented with tabs, as `caddy fmt` does.
export const CADDYFILE = `# /etc/caddy/Caddyfile
@HOST@ {
	header Strict-Transport-Security "max-age=31536000"

	# Four files of INGOT_UPLOAD_LIMIT and other fields.
	request_body {
		max_size 102MB
	}

	# Monitoring uses the server's own port.
	@watched path /_ingot/up /_ingot/ready /_ingot/metrics
	respond @watched 404

	# Caddy replaces X-Forwarded-For, -Proto and -Host, so that visitors cannot forge them.
	reverse_proxy 127.0.0.1:3000 {
		health_uri /_ingot/ready
		health_interval 5s
		# Headers of this proxy are trusted, so visitors may not decide which requests are traced, or what is passed to other servers.
		header_up -traceparent
		header_up -tracestate
		header_up -baggage
	}
}
`
