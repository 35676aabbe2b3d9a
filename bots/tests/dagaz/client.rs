//! A client that can send any request, valid or not.

use damka_tests::dagaz::Mock;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

pub(super) struct Client<'a> {
    mock: &'a Mock,
    token: String,
}

impl Client<'_> {
    /// Logs in.
    pub(super) fn login<'a>(
        mock: &'a Mock,
        user: &str,
        password: &str,
        device: &str,
    ) -> Client<'a> {
        let anonymous = Client { mock, token: String::new() };
        let body = json!({"username": user, "password": password, "device": device});
        let (status, answer) = anonymous.post("/auth/login", body);
        assert_eq!(status, 201, "{answer}");
        Client { mock, token: answer["access_token"].as_str().unwrap_or_default().to_owned() }
    }

    pub(super) fn get(&self, path: &str) -> (u16, Value) {
        self.ask("GET", path, "")
    }

    pub(super) fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.ask("POST", path, &body.to_string())
    }

    /// Sends a request and reads the answer, as a string if it is not JSON.
    pub(super) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let address = self.mock.url().replace("http://", "");
        let mut stream = TcpStream::connect(address).expect("a server");
        let request = format!(
            "{method} /api{path} HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let value = match body {
            "" => Value::Null,
            body => serde_json::from_str(body).unwrap_or_else(|_| body.into()),
        };
        (status.expect("a status"), value)
    }
}
